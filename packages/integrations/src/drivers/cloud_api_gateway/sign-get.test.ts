import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signGet } from './sign-get.ts';

interface Vector {
  readonly name: string;
  readonly target: string;
  readonly session_token?: string;
  readonly authorization: string;
}

const file = new URL('../../testdata/aws-signing-suite.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const nowMs = Date.parse('2015-08-30T12:36:00Z');

describe('the suite of AWS', () => {
  it.each(vectors)('$name', ({ target, session_token: sessionToken, authorization }) => {
    const url = new URL(`https://example.amazonaws.com${target}`);
    const headers = signGet({ url, region: 'us-east-1', service: 'service', nowMs }, { ...credentials, sessionToken });
    expect(headers).toEqual({
      'x-amz-date': '20150830T123600Z',
      ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
      authorization,
    });
  });
});

/** As the cloud's own SDK wants a hash: what is hashed is small. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

it("whatever path, query, port, region and token: the signature is that of the cloud's own SDK", async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((given) => given.toWellFormed());
  const query = fc.dictionary(
    text.filter((name) => name !== ''),
    text,
    { maxKeys: 4, noNullPrototype: true },
  );
  const request = fc.record({
    path: fc.array(
      text.filter((segment) => !/^\.{0,2}$/.test(segment)),
      { maxLength: 4 },
    ),
    query,
    port: fc.constantFrom('', ':8443'),
    region: fc.constantFrom('eu-central-1', 'us-gov-west-1', 'cn-north-1'),
    sessionToken: fc.option(fc.stringMatching(/^[A-Za-z0-9+/=]{1,40}$/), { nil: undefined }),
    seconds: fc.integer({ min: 0, max: 4_000_000_000 }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ path, query, port, region, sessionToken, seconds }) => {
      const url = new URL(`https://example.amazonaws.com${port}/${path.map(encodeURIComponent).join('/')}`);
      url.search = Object.entries(query)
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
        .join('&');
      const who = { ...credentials, ...(sessionToken !== undefined && { sessionToken }) };
      const signer = new SignatureV4({
        service: 'apigateway',
        region,
        credentials: who,
        sha256: Sha256,
        applyChecksum: false,
      });
      const signingDate = new Date(seconds * 1000);
      const plain = { method: 'GET', protocol: 'https:', hostname: url.hostname, path: url.pathname, query };
      const wanted = await signer.sign({ ...plain, headers: { host: url.host } }, { signingDate });
      const ours = signGet({ url, region, service: 'apigateway', nowMs: seconds * 1000 }, who);
      expect({ host: url.host, ...ours }).toEqual(wanted.headers);
    }),
  );
});
