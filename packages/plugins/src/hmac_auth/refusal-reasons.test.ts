import { describe, expect, it } from 'vitest';
import { PluginBench, type TestRequest } from '../testing/plugin-bench.ts';
import { BODY_BYTES_MAX } from './body-digest.ts';
import { messageSigned, NOW, NOW_MS, signed } from './hmac-requests.test-support.ts';
import { hmacAuthOver } from './index.ts';
import { SeenNonces } from './seen-nonces.ts';

const NOW_SECONDS = NOW_MS / 1000;
const COVERED = '("@method" "@authority" "@path" "@query")';
const input = (parameters: string, covered = COVERED): TestRequest =>
  messageSigned({ input: `${covered};keyid="key"${parameters}` });
const timely = `;created=${NOW_SECONDS}`;

/** The reasons that an instance writes for these requests, one after another. */
async function reasonsOf(config: object, ...requests: readonly TestRequest[]): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  const log = { debug: (...line: unknown[]) => void lines.push(line), warn: () => undefined, error: () => undefined };
  const bench = new PluginBench(hmacAuthOver(new SeenNonces(1)), config, { log });
  bench.clock.advance(1000);
  for (const request of requests) await bench.request(request);
  return lines;
}

const line = (reason: string): unknown => [
  'refused a request',
  expect.objectContaining({ reason, request_id: 'r1', plugin: 'hmac_auth' }),
];

describe('the operator who asks for it is told why hmac_auth refuses a request', () => {
  it.each<[string, TestRequest]>([
    ['no_credentials', {}],
    ['malformed_credentials', { headers: ['Authorization', 'hmac what'] }],
    ['malformed_credentials', signed({ signature: '*' })],
    ['algorithm', signed({ algorithm: 'hmac-sha1' })],
    ['algorithm', signed({ algorithm: 'hmac-sha384' })],
    ['missing_time', signed({ names: 'request-line' })],
    ['missing_header', signed({ names: 'date x-gone request-line' })],
    ['missing_header', signed({ headers: [] })],
    ['clock_skew', signed({ headers: ['Date', new Date(NOW_MS - 300_000).toUTCString()] })],
    ['clock_skew', signed({ headers: ['Date', 'yesterday'] })],
    ['not_covered', signed({ names: 'date', text: `date: ${NOW}` })],
    ['unknown_key_id', signed({ username: 'nobody' })],
    ['credential_expired', signed({ username: 'brief' })],
    ['signature', signed({ secret: 'a guess' })],
  ])('in the form of Kong: %s', async (reason, request) => {
    const lines = await reasonsOf({}, request);
    expect(lines).toEqual([line(reason)]);
    expect(JSON.stringify(lines)).not.toMatch(/nobody|brief|x-gone|yesterday|what/);
  });

  it.each<[string, TestRequest]>([
    ['malformed_credentials', { headers: ['Signature-Input', ''] }],
    ['malformed_credentials', { headers: ['Signature-Input', 'a=1', 'Signature', 'a=1'] }],
    ['malformed_credentials', messageSigned({ input: `${COVERED}${timely}` })],
    ['missing_time', input('')],
    ['clock_skew', input(`;created=${NOW_SECONDS - 300}`)],
    ['expired', input(`${timely};expires=${NOW_SECONDS}`)],
    ['not_covered', input(timely, '("@method")')],
    ['algorithm', input(`${timely};alg="hmac-sha512"`)],
    ['missing_nonce', input(timely)],
    ['missing_header', input(`${timely};nonce="n"`, '("@method" "@authority" "@path" "@query" "x-gone")')],
    ['signature', messageSigned({ input: `${COVERED};keyid="other"${timely};nonce="n"` })],
  ])('in the form of RFC 9421: %s', async (reason, request) => {
    const config = { signature_forms: ['message_signature'], require_nonce: true };
    expect(await reasonsOf(config, request)).toEqual([line(reason)]);
  });

  it.each<[string, TestRequest]>([
    ['digest', signed({ body: 'not covered' })],
    ['body_too_large', signed({ body: 'x'.repeat(BODY_BYTES_MAX + 1) })],
  ])('when bodies are checked: %s', async (reason, request) => {
    expect(await reasonsOf({ validate_request_body: true }, request)).toEqual([line(reason)]);
  });

  it('when a nonce comes again, and when there is no room for another', async () => {
    const config = { signature_forms: ['message_signature'], require_nonce: true };
    const [one, two] = ['one', 'two'].map((nonce) => input(`${timely};nonce="${nonce}"`));
    const lines = await reasonsOf(config, one ?? {}, one ?? {}, two ?? {});
    expect(lines).toEqual([line('replayed_nonce'), line('too_many_nonces')]);
  });
});
