import { createHmac, hash } from 'node:crypto';

/** Who signs. */
export interface AwsCredential {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** With temporary credentials. */
  readonly sessionToken?: string;
}

/** What is signed: a `POST` without a query. */
export interface AwsRequest {
  readonly host: string;
  /** As it goes over the wire, its segments encoded. */
  readonly path: string;
  /** Further headers that are signed, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly region: string;
  readonly service: string;
  readonly nowMs: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/**
 * The headers that sign a request under AWS Signature Version 4, names and values by turns: `x-amz-date`, `x-amz-security-token` with
 * temporary credentials, and `authorization`. `host` and all headers given are signed; the body's digest is part of the signature.
 * Source: AWS, Signature Version 4 for API requests.
 */
export function signatureV4(request: AwsRequest, credential: AwsCredential): readonly string[] {
  const { region, service } = request;
  // 2015-08-30T12:36:00.000Z becomes 20150830T123600Z.
  const time = new Date(request.nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const added: [string, string][] = [['x-amz-date', time]];
  if (credential.sessionToken !== undefined) added.push(['x-amz-security-token', credential.sessionToken]);
  const signed = [['host', request.host] as const, ...Object.entries(request.headers), ...added].toSorted(byName);
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    'POST',
    canonicalPath(request.path),
    '',
    ...signed.map(([name, value]) => `${name}:${value.trim().replaceAll(/\s+/g, ' ')}`),
    '',
    names,
    hash('sha256', request.body),
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = [ALGORITHM, time, scope, hash('sha256', canonical)].join('\n');
  const signature = hmac(signingKey(credential.secretAccessKey, [day, region, service]), text).toString('hex');
  const authorization = `${ALGORITHM} Credential=${credential.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return [...added.flat(), 'authorization', authorization];
}

/** A text as one segment of a path, encoded as AWS wants it: all but letters, digits and `-_.~`. */
export function awsSegment(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** All services but S3 sign the path encoded once more than it is sent. */
function canonicalPath(path: string): string {
  return path.split('/').map(awsSegment).join('/');
}

function signingKey(secret: string, parts: readonly string[]): Buffer {
  let key = Buffer.from(`AWS4${secret}`);
  for (const part of [...parts, 'aws4_request']) key = hmac(key, part);
  return key;
}

function hmac(key: Buffer, text: string): Buffer<ArrayBuffer> {
  return createHmac('sha256', key).update(text).digest();
}

function byName([left]: readonly [string, string], [right]: readonly [string, string]): number {
  return left < right ? -1 : 1;
}
