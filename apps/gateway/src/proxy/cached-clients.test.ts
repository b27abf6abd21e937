import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

type Fields = Readonly<Record<string, string>>;
type Plugins = readonly Readonly<Record<string, unknown>>[];

interface Asking {
  readonly headers?: Fields;
  readonly body?: string;
}

/** Status, what the cache says, and the body. */
function ask(url: string, { headers = {}, body }: Asking = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { headers, agent: false }, (answer) => {
      const said = `${answer.statusCode} ${String(answer.headers['x-cache-status'])}`;
      buffer(answer).then((bytes) => resolve(`${said} ${bytes.toString()}`), reject);
    });
    sent.on('error', reject).end(body);
  });
}

/** A service that answers with all it was asked, behind a gateway with these plugins. */
async function served(
  inline: Plugins,
  attached: Plugins = [],
  { env = {}, cacheControl = '' }: { readonly env?: Fields; readonly cacheControl?: string } = {},
) {
  let asked = 0;
  const upstream = await startUpstream((_req, res, { headers, body }) => {
    asked += 1;
    if (cacheControl !== '') res.setHeader('cache-control', cacheControl);
    res.end(`${asked} ${body.toString()} ${JSON.stringify(headers)}`);
  });
  const consumers = [{ id: 'c1', username: 'partner' }];
  const resources = { ...everythingTo(upstream.url, { plugins: inline }), plugins: attached, consumers };
  const gateway = await startTestGateway(resources, env);
  return {
    ...{ upstream, gateway, url: gateway.url },
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream.close();
    },
  };
}

const cache = { name: 'response_cache', config: { ttl_seconds: 3600 } };
const [alice, bob] = ['alice-0123456789', 'bob-0123456789'];
const keys = { name: 'api_key_auth', config: { valid_keys: [alice, bob] } };
const withKey = (key: string): Asking => ({ headers: { 'x-api-key': key } });

describe('an answer is not given to other clients', () => {
  it('when its request had a body, however it was framed', async () => {
    await using one = await served([cache]);
    const fat = await ask(one.url, { headers: { 'transfer-encoding': 'chunked' }, body: 'q=<script>' });
    expect(fat).toMatch(/^200 BYPASS .*<script>/);
    const sized = await ask(one.url, { headers: { 'content-length': '3' }, body: 'q=2' });
    expect(sized).toMatch(/^200 BYPASS .*q=2/);
    expect(await ask(one.url)).toMatch(/^200 MISS 3 /);
    expect(await ask(one.url)).toMatch(/^200 HIT 3 /);
  });

  it.each([
    ['keys', keys, withKey(alice), withKey(bob)],
    [
      'sessions in a header',
      {
        name: 'session_cookie_auth',
        priority: 1,
        config: { header_name: 'x-session', valid_session_ids: ['sess-alice', 'sess-bob'] },
      },
      { headers: { 'x-session': 'sess-alice' } },
      { headers: { 'x-session': 'sess-bob' } },
    ],
  ])(
    'when authentication let its request through without naming a consumer: %s',
    async (_name, plugin, first, second) => {
      await using one = await served([plugin, cache]);
      expect(await ask(one.url, first)).toMatch(/^200 MISS 1 /);
      expect(await ask(one.url, second)).toMatch(/^200 MISS 2 /);
      expect(await ask(one.url, first)).toMatch(/^200 MISS 3 /);
      expect(await ask(one.url)).toMatch(/^401 undefined /);
    },
  );

  it('unless the service says that all may have it', async () => {
    await using one = await served([keys, cache], [], { cacheControl: 'public, max-age=60' });
    expect(await ask(one.url, withKey(alice))).toMatch(/^200 MISS 1 /);
    expect(await ask(one.url, withKey(bob))).toMatch(/^200 HIT 1 /);
    expect(await ask(one.url)).toMatch(/^401 undefined /);
  });

  it('when Authorization tells answers apart and the credentials stand elsewhere', async () => {
    const told = { ...cache, config: { ttl_seconds: 3600, vary_headers: ['Authorization'] } };
    await using one = await served([keys, told]);
    expect(await ask(one.url, withKey(alice))).toMatch(/^200 MISS 1 /);
    expect(await ask(one.url, withKey(bob))).toMatch(/^200 MISS 2 /);
  });
});

describe('where plugins decide later who may ask', () => {
  const sessions = { name: 'session_cookie_auth', config: { valid_session_ids: ['sess-alice'] } };
  const withSession = { headers: { cookie: 'session=sess-alice' } };
  const attached = { id: 'p1', ...cache, enabled: true, priority: 100_000 };
  const lists = { name: 'ip_blacklist', priority: 1000, config: { blocked_ips: ['192.0.2.1'] } };

  it.each([
    ['by name', [cache, sessions], [], withSession],
    ['inline, the cache attached', [{ ...keys, priority: 1000 }], [attached], withKey(alice)],
    ['inline, the cache attached to the route', [keys], [{ ...attached, route_id: 'route-1' }], withKey(alice)],
  ])('the cache neither answers nor stores: %s', async (_name, inline, collection, allowed) => {
    await using one = await served(inline, collection, { cacheControl: 'public, max-age=60' });
    expect(await ask(one.url, allowed)).toMatch(/^200 BYPASS 1 /);
    expect(await ask(one.url)).toMatch(/^401 /);
    expect(await ask(one.url, allowed)).toMatch(/^200 BYPASS 2 /);
  });

  it('access control counts, and the cache works when it comes last', async () => {
    await using late = await served([lists], [attached]);
    expect([await ask(late.url), await ask(late.url)]).toEqual([
      expect.stringMatching(/^200 BYPASS 1 /),
      expect.stringMatching(/^200 BYPASS 2 /),
    ]);
    await using last = await served([lists, cache]);
    expect([await ask(last.url), await ask(last.url)]).toEqual([
      expect.stringMatching(/^200 MISS 1 /),
      expect.stringMatching(/^200 HIT 1 /),
    ]);
  });
});

describe('an answer is not given to requests for another address', () => {
  const trusted = { PORTCULLIS_TRUSTED_PROXIES: '127.0.0.0/8' };
  it.each([
    ...['x-forwarded-host', 'x-forwarded-prefix', 'x-forwarded-port', 'x-forwarded-server', 'x-forwarded-uri'],
    ...['x-forwarded-proto', 'x-forwarded-ssl', 'forwarded', 'x-host', 'x-original-host', 'x-envoy-original-path'],
    ...['x-http-host-override', 'x-original-uri', 'x-script-name', 'x-middleware-prefetch', 'front-end-https'],
  ])('that has no %s', async (name) => {
    await using one = await served([cache], [], { env: trusted });
    const poses: Asking = { headers: { [name]: 'host=evil' } };
    expect(await ask(one.url, poses)).toMatch(/^200 MISS 1 .*evil/);
    expect(await ask(one.url)).toMatch(/^200 MISS 2 /);
    expect(await ask(one.url)).toMatch(/^200 HIT 2 /);
    expect(await ask(one.url, poses)).toMatch(/^200 HIT 1 /);
  });

  it.each([
    ['before', 5],
    ['after', -5],
  ])('that goes elsewhere: sent there %s the cache', async (_name, priority) => {
    await using other = await startUpstream((_req, res) => {
      res.setHeader('cache-control', 'public, max-age=60').end('partner');
    });
    const attached = [
      {
        id: 'p1',
        name: 'api_key_auth',
        priority: 10,
        config: { valid_keys: [{ key: alice, consumer: 'partner' }, bob] },
      },
      {
        ...{ id: 'p2', name: 'forward_proxy', scope: 'consumer', consumer_id: 'c1', priority },
        config: { forward_url: other.url },
      },
      { id: 'p3', ...cache },
    ];
    const env = { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };
    await using one = await served([], attached, { env, cacheControl: 'public, max-age=60' });
    expect(await ask(one.url, withKey(alice))).toBe('200 MISS partner');
    expect(await ask(one.url, withKey(bob))).toMatch(/^200 MISS 1 /);
    expect(await ask(one.url, withKey(bob))).toMatch(/^200 HIT 1 /);
    if (priority > 0) expect(await ask(one.url, withKey(alice))).toBe('200 HIT partner');
  });
});
