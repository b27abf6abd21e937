import { createHmac, hash } from 'node:crypto';

/** Who signs. */
export interface CloudCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** With temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** What is signed: a `GET` without a body. */
export interface SignedRequest {
  /** Path and query as the URL standard writes them. */
  readonly url: URL;
  readonly region: string;
  readonly service: string;
  readonly nowMs: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const EMPTY_BODY = hash('sha256', '');

/**
 * The headers that sign a request: `x-amz-date`, `x-amz-security-token` with temporary credentials, and `authorization`. They are signed with
 * `host`, which the connection adds; other headers are not, since what is between may change them.
 * Source: AWS, Signature Version 4 for API requests.
 */
export function signGet(request: SignedRequest, credentials: CloudCredentials): Readonly<Record<string, string>> {
  const { url, region, service } = request;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  // 2015-08-30T12:36:00.000Z becomes 20150830T123600Z.
  const time = new Date(request.nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const added = { 'x-amz-date': time, ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }) };
  // In the order of their names, which all signed headers have to be in.
  const signed = Object.entries({ host: url.host, ...added });
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    'GET',
    canonicalPath(url.pathname),
    canonicalQuery(url.search),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    EMPTY_BODY,
  ].join('\n');
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const text = [ALGORITHM, time, scope.join('/'), hash('sha256', canonical)].join('\n');
  const key = scope.reduce<Buffer>((from, part) => hmac(from, part), Buffer.from(`AWS4${secretAccessKey}`));
  const signature = hmac(key, text).toString('hex');
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...added, authorization };
}

/** The URL standard has resolved its dots. Segments are encoded already, and signed encoded once more; empty ones are left out. */
function canonicalPath(path: string): string {
  return path
    .replaceAll(/\/{2,}/g, '/')
    .split('/')
    .map(encoded)
    .join('/');
}

/** In the order of names, and of values where names are the same, each encoded once. */
function canonicalQuery(search: string): string {
  if (search.length <= 1) return '';
  return search
    .slice(1)
    .split('&')
    .map((pair): readonly [string, string] => {
      const [name = '', ...value] = pair.split('=');
      return [encoded(decodeURIComponent(name)), encoded(decodeURIComponent(value.join('=')))];
    })
    .toSorted(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** All but letters, digits and `-_.~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** By UTF-16 units: what is compared is ASCII. */
function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
