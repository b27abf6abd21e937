import { describe, expect, it } from 'vitest';
import { PluginBench, problemOf } from '../testing/plugin-bench.ts';
import { BODY_BYTES_MAX } from './body-digest.ts';
import { acme, consumers, macOf, NOW, NOW_MS, sha256, signed, type SignedParts } from './hmac-requests.test-support.ts';
import { hmacAuth } from './index.ts';

const at = (ms: number) => new Date(NOW_MS + ms).toUTCString();
const bench = (config: object = {}) => new PluginBench(hmacAuth, config);
const LINE = 'GET /orders?page=2 HTTP/1.1';
/** A request whose signature covers these headers and the request line. */
const covering = (headers: readonly string[], more: SignedParts = {}): SignedParts => {
  const pairs = headers.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1]] as const] : [],
  );
  const names = [...pairs.map(([name]) => name), 'request-line'].join(' ');
  return { headers, names, text: [...pairs.map(([name, value]) => `${name}: ${value}`), LINE].join('\n'), ...more };
};

describe('hmac_auth in the form of Kong', () => {
  it('knows the clock of its tests', () => {
    expect(bench().clock.nowMs()).toBe(NOW_MS);
  });

  it.each<[string, SignedParts]>([
    ['date and request line', {}],
    ['SHA-512', { algorithm: 'hmac-sha512' }],
    ['the scheme in capitals', { scheme: 'HMAC' }],
    ['another name of HTTP/2', { text: `date: ${NOW}\nGET /orders?page=2 HTTP/2.0` }],
    [
      'the request target',
      { names: 'date @request-target', text: `date: ${NOW}\n@request-target: get /orders?page=2` },
    ],
    ['names in capitals', { names: 'Date Request-Line' }],
    ['another header', covering(['X-Date', NOW, 'X-Tenant', 'acme'])],
    [
      'a host that HTTP/2 does not send',
      { names: 'date host request-line', text: `date: ${NOW}\nhost: api.test\n${LINE}` },
    ],
    ['the oldest time', covering(['Date', at(-300_000)])],
    ['the furthest time', covering(['Date', at(300_000)])],
  ])('identifies the consumer by a signature with %s', async (_name, parts) => {
    const { result, exchange } = await bench().request(signed(parts));
    expect([result, exchange.consumer]).toEqual(['continue', acme]);
    expect(exchange.request.headers.has('authorization')).toBe(true);
  });

  it.each<[string, SignedParts]>([
    ['of another path', { text: `date: ${NOW}\nGET /orders/1?page=2 HTTP/1.1` }],
    ['of another method', { text: `date: ${NOW}\nPOST /orders?page=2 HTTP/1.1` }],
    ['of another query', { text: `date: ${NOW}\nGET /orders?page=3 HTTP/1.1` }],
    ['of another time', { text: `date: ${at(1000)}\n${LINE}` }],
    ['of an unknown key', { username: 'nobody' }],
    ['of a key named as what objects have', { username: 'constructor' }],
    ['with the secret of another', { username: 'other' }],
    ['with an algorithm that the credential does not have', { algorithm: 'hmac-sha384' }],
    ['with SHA-1', { algorithm: 'hmac-sha1' }],
    ['with no algorithm', { algorithm: '' }],
    ['that is empty', { signature: '' }],
    ['that is cut', { signature: macOf(`date: ${NOW}\n${LINE}`).slice(0, 20) }],
    ['that is no base64', { signature: '*' }],
    ['in another spelling of base64', { signature: macOf(`date: ${NOW}\n${LINE}`).replace('=', '') }],
    ['that is too old', covering(['Date', at(-301_000)])],
    ['that is of the future', covering(['Date', at(301_000)])],
    ['whose time is no time', covering(['Date', 'now'])],
    ['whose time is of another form', covering(['Date', new Date(NOW_MS).toISOString()])],
    ['without a time', { names: 'request-line', text: LINE }],
    ['with a time that is not signed', covering(['X-A', '1'], { headers: ['X-A', '1', 'Date', NOW] })],
    ['one of whose times is old', covering(['Date', NOW, 'X-Date', at(-400_000)])],
    ['of the time alone', { names: 'date', text: `date: ${NOW}` }],
    ['of a header that is not there', { names: 'date x-gone request-line', text: `date: ${NOW}\nx-gone: \n${LINE}` }],
    ['of one header twice', { names: 'date date request-line', text: `date: ${NOW}\ndate: ${NOW}\n${LINE}` }],
    ['with a parameter twice', { username: 'key", username="other' }],
    ['with a quote in a parameter', { username: String.raw`key\"` }],
    ['of another scheme', { scheme: 'hmac2' }],
    ['too long', { username: 'k'.repeat(9000) }],
  ])('refuses a signature %s', async (_name, parts) => {
    const { result, exchange } = await bench().request(signed(parts));
    expect([result, exchange.response.status, exchange.consumer]).toEqual(['respond', 401, undefined]);
    expect(exchange.response.headers.get('www-authenticate')).toBe('hmac realm="api"');
    expect(problemOf(exchange)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(JSON.stringify(problemOf(exchange))).not.toMatch(/secret|nobody|key/);
  });

  it('refuses requests without a signature, with two, or with parts of one', async () => {
    const [first = '', second = '', ...rest] = signed().headers ?? [];
    for (const headers of [
      [],
      ['Authorization', 'Bearer x'],
      ['Authorization', 'hmac'],
      ['Authorization', 'hmac username="key"'],
      [first, second, ...rest, ...rest],
    ])
      expect((await bench().request({ ...signed(), headers })).result).toBe('respond');
  });

  it('refuses a credential from the millisecond in which it expires', async () => {
    const plugin = bench();
    const ask = async () => (await plugin.request(signed({ username: 'brief' }))).result;
    plugin.clock.advance(999);
    expect(await ask()).toBe('continue');
    plugin.clock.advance(1);
    expect(await ask()).toBe('respond');
  });

  it('asks for what its config asks for', async () => {
    const ask = async (config: object, parts: SignedParts = {}) => (await bench(config).request(signed(parts))).result;
    expect(await ask({ enforce_headers: ['Date', 'Host'] })).toBe('respond');
    expect(await ask({ enforce_headers: ['date'] }, covering(['X-Date', NOW]))).toBe('continue');
    expect(await ask({ enforce_headers: [] }, { names: 'date', text: `date: ${NOW}` })).toBe('continue');
    expect(await ask({ algorithms: ['hmac-sha512'] })).toBe('respond');
    expect(await ask({ clock_skew: 10 }, covering(['Date', at(-11_000)]))).toBe('respond');
    expect(await ask({ signature_forms: ['message_signature'] })).toBe('respond');
    const { exchange } = await bench({ hide_credentials: true }).request(signed());
    expect(exchange.request.headers.toPairs()).toEqual(['Date', NOW]);
  });
});

describe('hmac_auth and bodies', () => {
  const body = '{"amount":5}';
  const digest = (text = body) => `SHA-256=${sha256(text)}`;
  const ask = async (parts: SignedParts) => {
    const { result, exchange } = await bench({ validate_request_body: true }).request(signed(parts));
    return result === 'continue' ? 200 : exchange.response.status;
  };

  it.each<[string, SignedParts, number]>([
    ['its digest', covering(['Date', NOW, 'Digest', digest()], { body }), 200],
    ['several digests', covering(['Date', NOW, 'Digest', `MD5=x, ${digest()}`], { body }), 200],
    ['the digest of RFC 9530', covering(['Date', NOW, 'Content-Digest', `sha-256=:${sha256(body)}:`], { body }), 200],
    ['no digest', { body }, 401],
    ['a digest that is not signed', { body, headers: ['Date', NOW, 'Digest', digest()] }, 401],
    ['the digest of another body', covering(['Date', NOW, 'Digest', digest('{"amount":500}')], { body }), 401],
    ['one digest of two that fits', covering(['Date', NOW, 'Digest', `${digest()},${digest('x')}`], { body }), 401],
    ['a digest of an unknown kind', covering(['Date', NOW, 'Digest', 'MD5=abcd'], { body }), 401],
    ['a digest that is none', covering(['Date', NOW, 'Content-Digest', 'sha-256=:'], { body }), 401],
    ['no body and no digest', {}, 200],
    ['no body, and the digest of one', covering(['Date', NOW, 'Digest', digest()]), 401],
    ['no body, and the digest of that', covering(['Date', NOW, 'Digest', digest('')]), 200],
    ['a body too long', covering(['Date', NOW, 'Digest', digest()], { body: 'x'.repeat(BODY_BYTES_MAX + 1) }), 413],
  ])('with %s', async (_name, parts, status) => {
    expect(await ask(parts)).toBe(status);
  });

  it('are not looked at unless asked', async () => {
    const parts = covering(['Date', NOW, 'Digest', digest('other')], { body });
    expect((await bench().request({ ...signed(parts), consumers })).result).toBe('continue');
  });
});

describe('the config of hmac_auth', () => {
  it.each<[string, unknown, string]>([
    ['no algorithm', { algorithms: [] }, '/algorithms'],
    ['SHA-1', { algorithms: ['hmac-sha1'] }, '/algorithms/0'],
    ['no time at all', { clock_skew: 0 }, '/clock_skew'],
    ['more than an hour', { clock_skew: 3601 }, '/clock_skew'],
    ['part of a second', { clock_skew: 0.5 }, '/clock_skew'],
    ['no header name', { enforce_headers: ['a b'] }, '/enforce_headers/0'],
    ['no list', { enforce_headers: 'date' }, '/enforce_headers'],
    ['an unknown component', { required_components: ['@status'] }, '/required_components/0'],
    ['a component with a parameter', { required_components: ['"a";sf'] }, '/required_components/0'],
    ['a header in capitals', { required_components: ['Date'] }, '/required_components/0'],
    ['no form', { signature_forms: [] }, '/signature_forms'],
    ['an unknown form', { signature_forms: ['cookie'] }, '/signature_forms/0'],
    ['a nonce where none can be', { require_nonce: true }, '/require_nonce'],
    ['a word for a flag', { validate_request_body: 'yes' }, '/validate_request_body'],
  ])('refuses %s', (_name, config, pointer) => {
    expect(hmacAuth.plugin.compile(config)).toMatchObject({
      ok: false,
      issues: expect.arrayContaining([expect.objectContaining({ pointer })]) as unknown,
    });
  });
});
