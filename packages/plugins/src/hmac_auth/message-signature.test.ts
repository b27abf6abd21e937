import { parseDictionary, type InnerList } from 'structured-headers';
import { describe, expect, it } from 'vitest';
import { ExchangeState } from '@portcullis/plugin-runtime';
import { PluginBench } from '../testing/plugin-bench.ts';
import { acme, macOf, messageSigned, NOW, NOW_MS, sha256, signed } from './hmac-requests.test-support.ts';
import { isSignedWith } from './hmac.ts';
import { hmacAuth } from './index.ts';
import { signatureBase } from './message-signature-form.ts';

const CREATED = NOW_MS / 1000;
const COMPONENTS = '("@method" "@authority" "@path" "@query")';
const INPUT = `${COMPONENTS};created=${CREATED};keyid="key"`;
const bench = (more: object = {}) => new PluginBench(hmacAuth, { signature_forms: ['message_signature'], ...more });

describe('the example of RFC 9421, appendix B.2.5', () => {
  const { request } = new ExchangeState({
    facts: { requestId: 'r1', tenantId: 't1', gateway: { id: 'g1', name: 'edge' } },
    request: {
      method: 'POST',
      scheme: 'https',
      host: 'example.com',
      path: '/foo',
      query: 'param=Value&Pet=dog',
      headers: ['Host', 'example.com', 'Date', 'Tue, 20 Apr 2021 02:07:55 GMT', 'Content-Type', 'application/json'],
      clientIp: '192.0.2.1',
    },
  });
  const [input] = parseDictionary(
    'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
  ).values();
  const base = signatureBase(request, input as InnerList) ?? '';
  const key = 'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==';

  it('has its base', () => {
    expect(base.split('\n')).toEqual([
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@authority": example.com',
      '"content-type": application/json',
      '"@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    ]);
  });

  it('has its signature', () => {
    const signature = Buffer.from('pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=', 'base64');
    expect(isSignedWith(Buffer.from(key, 'base64'), 'hmac-sha256', [base], signature)).toBe(true);
    expect(isSignedWith(Buffer.from(key, 'base64'), 'hmac-sha256', [`${base} `], signature)).toBe(false);
  });
});

describe('hmac_auth with message signatures', () => {
  it.each([
    ['the components that are required', { input: INPUT }],
    ['the algorithm', { input: `${INPUT};alg="hmac-sha256"` }],
    ['a time at which it ends, a nonce and a tag', { input: `${INPUT};expires=${CREATED + 1};nonce="n";tag="t"` }],
    [
      'the whole address',
      {
        input: `("@method" "@target-uri");created=${CREATED};keyid="key"`,
        lines: ['"@method": GET', '"@target-uri": http://api.test/orders?page=2'],
      },
    ],
    [
      'headers, of one of which there are two lines',
      {
        input: `("@method" "@authority" "@request-target" "x-a" "@scheme");created=${CREATED};keyid="key"`,
        lines: [
          '"@method": GET',
          '"@authority": api.test',
          '"@request-target": /orders?page=2',
          '"x-a": 1, 2',
          '"@scheme": http',
        ],
        headers: ['X-A', ' 1', 'X-A', '2 '],
      },
    ],
  ])('identifies the consumer by one with %s', async (_name, parts) => {
    const { result, exchange } = await bench().request(messageSigned(parts));
    expect([result, exchange.consumer]).toEqual(['continue', acme]);
  });

  it.each([
    [
      'of another method',
      { input: INPUT, lines: ['"@method": POST', '"@authority": api.test', '"@path": /orders', '"@query": ?page=2'] },
    ],
    [
      'that covers too little',
      { input: `("@method" "@path");created=${CREATED};keyid="key"`, lines: ['"@method": GET', '"@path": /orders'] },
    ],
    ['without a time', { input: `${COMPONENTS};keyid="key"` }],
    ['whose time is text', { input: `${COMPONENTS};created="${CREATED}";keyid="key"` }],
    ['that is too old', { input: `${COMPONENTS};created=${CREATED - 301};keyid="key"` }],
    ['of the future', { input: `${COMPONENTS};created=${CREATED + 301};keyid="key"` }],
    ['that has ended', { input: `${INPUT};expires=${CREATED}` }],
    ['without a key', { input: `${COMPONENTS};created=${CREATED}` }],
    ['of an unknown key', { input: `${COMPONENTS};created=${CREATED};keyid="nobody"` }],
    ['with the secret of another', { input: `${COMPONENTS};created=${CREATED};keyid="other"` }],
    ['of a credential for another algorithm', { input: `${COMPONENTS};created=${CREATED};keyid="weak"` }],
    ['with another algorithm', { input: `${INPUT};alg="rsa-v1_5-sha256"` }],
    ['that covers something twice', { input: INPUT.replace('"@path"', '"@path" "@path"') }],
    ['that covers a header that is not there', { input: INPUT.replace('"@path"', '"@path" "x-gone"') }],
    ['that covers a header in capitals', { input: INPUT.replace('"@path"', '"@path" "Host"') }],
    ['that covers something with parameters', { input: INPUT.replace('"@path"', '"@path";req') }],
    ['that covers something unknown', { input: INPUT.replace('"@path"', '"@path" "@status"') }],
    ['that covers no list', { input: `"@method";created=${CREATED};keyid="key"` }],
    ['that cannot be read', { input: `(${INPUT}` }],
    ['that is too long', { input: `${INPUT};tag="${'t'.repeat(9000)}"` }],
    ['that is empty', { input: INPUT, signature: '' }],
    ['that is cut', { input: INPUT, signature: macOf('').slice(0, 20) }],
  ])('refuses one %s', async (_name, parts) => {
    const { result, exchange } = await bench().request(messageSigned(parts));
    expect([result, exchange.response.status]).toEqual(['respond', 401]);
    expect(exchange.response.headers.get('www-authenticate')).toBe('Signature realm="api"');
  });

  it('takes one right signature of a few, and looks at no more', async () => {
    const { headers = [] } = messageSigned({ input: INPUT });
    const others = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => messageSigned({ input: INPUT, label: `o${index}`, signature: macOf('') }).headers ?? [],
      );
    const ask = async (...parts: (readonly string[])[]) =>
      (await bench().request({ ...messageSigned({ input: INPUT }), headers: parts.flat() })).result;
    expect(await ask(...others(3), headers)).toBe('continue');
    expect(await ask(...others(4), headers)).toBe('respond');
    expect(await ask(headers.slice(0, 2))).toBe('respond');
  });

  it('covers bodies by their digest, and hides what it was', async () => {
    const body = '{"amount":5}';
    const input = INPUT.replace('"@path"', '"content-digest" "@path"');
    const digest = `sha-256=:${sha256(body)}:`;
    const lines = [
      '"@method": GET',
      '"@authority": api.test',
      `"content-digest": ${digest}`,
      '"@path": /orders',
      '"@query": ?page=2',
    ];
    const parts = { input, lines, headers: ['Content-Digest', digest] };
    const plugin = bench({ validate_request_body: true, hide_credentials: true });
    const { result, exchange } = await plugin.request(messageSigned({ ...parts, body }));
    expect([result, exchange.request.headers.toPairs()]).toEqual(['continue', ['Content-Digest', digest]]);
    expect((await plugin.request(messageSigned({ ...parts, body: '{"amount":500}' }))).result).toBe('respond');
  });

  it('stands beside the other form: the first that is configured and there counts', async () => {
    const plugin = new PluginBench(hmacAuth, { signature_forms: ['authorization', 'message_signature'] });
    const { headers = [] } = messageSigned({ input: INPUT });
    expect((await plugin.request(messageSigned({ input: INPUT }))).result).toBe('continue');
    expect((await plugin.request(signed())).result).toBe('continue');
    const wrong = signed({ secret: 'wrong' });
    expect((await plugin.request({ ...wrong, headers: [...(wrong.headers ?? []), ...headers] })).result).toBe(
      'respond',
    );
    const { exchange } = await plugin.request({ headers: ['Date', NOW] });
    expect(exchange.response.headers.get('www-authenticate')).toBe('hmac realm="api", Signature realm="api"');
  });
});
