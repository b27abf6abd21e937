import { argon2Sync, hash } from 'node:crypto';
import { definePlugin, type Plugin } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import { startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

/** Lets in whom it finds by the ID of a credential that signs requests or tokens: what the plugins for them begin with. */
const bySigner: Plugin = definePlugin({
  name: 'by_signer',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  config: v.object({}),
  setup: (_config, { clock }) => ({
    request({ request, consumers }) {
      const [key, id] = [request.headers.get('x-issuer'), request.headers.get('x-signer')];
      const found = key === undefined ? consumers.findHmac(id ?? '') : consumers.findJwt(key);
      const isGood = found !== undefined && found.secret === `secret of ${key ?? id}`;
      const isExpired = (found?.match.expiresAtMs ?? Number.POSITIVE_INFINITY) <= clock.nowMs();
      return isGood && !isExpired ? { consumer: found.match.consumer } : { status: 401 };
    },
  }),
});

const plugins = [...builtInPlugins, bySigner];

/** PHC text of a password, as the control plane makes it. */
function passwordHash(password: string): string {
  const nonce = Buffer.from('a salt of tests!');
  const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: password, nonce, ...cost });
  const [salt, digest] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${digest}`;
}

const material = {
  api_key: { key_hash: hash('sha256', 'the key of jo, which is long') },
  basic: { username: 'jo@home', password_hash: passwordHash('open sesame') },
  hmac: { key_id: 'signer', secret: 'secret of signer', algorithms: ['hmac-sha256'] },
  jwt: { key: 'issuer', secret: 'secret of issuer', algorithm: 'HS256' },
} as const;
type Kind = keyof typeof material;
const kinds = Object.keys(material) as Kind[];

const presented: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  api_key: { 'x-api-key': 'the key of jo, which is long' },
  basic: { authorization: `Basic ${Buffer.from('jo@home:open sesame').toString('base64')}` },
  hmac: { 'x-signer': 'signer' },
  jwt: { 'x-issuer': 'issuer' },
};

const spoofed = {
  'x-consumer-id': 'root',
  'x-consumer-username': 'root',
  'x-consumer-custom-id': 'root',
  'x-consumer-groups': 'admins',
  'x-credential-identifier': 'root',
  'x-anonymous-consumer': 'true',
};

/** A route for each kind of credential, and a consumer with one of each. */
function resources(url: string, parts: Partial<Record<Kind, object>> = {}, consumer: object = {}): Resources {
  const named: Readonly<Record<Kind, object>> = {
    api_key: { name: 'api_key_auth', config: { valid_keys: [] } },
    basic: { name: 'basic_auth', config: { allowed_users: [] } },
    hmac: { name: 'by_signer', config: {} },
    jwt: { name: 'by_signer', config: {} },
  };
  return {
    ...everythingTo(url),
    routes: kinds.map((kind) => {
      return { id: `r-${kind}`, name: kind, service_id: 'service-1', paths: [`/${kind}`], plugins: [named[kind]] };
    }),
    consumers: [{ id: 'c-jo', username: 'jo', groups: ['gold'], ...consumer }],
    consumer_credentials: kinds.map((type) => {
      return {
        id: `of-${type}`,
        consumer_id: 'c-jo',
        type,
        name: type,
        enabled: true,
        ...material[type],
        ...parts[type],
      };
    }),
  };
}

async function statusOf(gateway: TestGateway, kind: Kind): Promise<number> {
  const answer = await fetch(`${gateway.url}/${kind}`, { headers: { ...presented[kind], ...spoofed } });
  await answer.arrayBuffer();
  return answer.status;
}

async function statuses(gateway: TestGateway): Promise<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const kind of kinds) all[kind] = await statusOf(gateway, kind);
  return all;
}

const letIn = { api_key: 200, basic: 200, hmac: 200, jwt: 200 };

describe('the credentials of a consumer', () => {
  it('of every type let it in, and the upstream learns who it is and nothing that the client says of itself', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(resources(upstream.url), {}, {}, { plugins });
    expect(await statuses(gateway)).toEqual(letIn);
    for (const [index, kind] of kinds.entries()) {
      const headers = upstream.requests[index]?.headers ?? {};
      expect(headers).toMatchObject({
        'x-consumer-id': 'c-jo',
        'x-consumer-username': 'jo',
        'x-consumer-groups': 'gold',
        'x-credential-identifier': `of-${kind}`,
      });
      expect(Object.values(headers)).not.toContain('root');
      expect(headers).not.toHaveProperty('x-anonymous-consumer');
    }
    expect((await fetch(`${gateway.url}/basic`, { headers: spoofed })).status).toBe(401);
  });

  it.each(kinds)('are refused with the next change that disables one, and only that one: %s', async (kind) => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(resources(upstream.url), {}, {}, { plugins });
    expect(await statusOf(gateway, kind)).toBe(200);
    await gateway.publish(resources(upstream.url, { [kind]: { enabled: false } }));
    expect(await statuses(gateway)).toEqual({ ...letIn, [kind]: 401 });
    await gateway.publish(resources(upstream.url));
    expect(await statusOf(gateway, kind)).toBe(200);
  });

  it('are refused together when their consumer is disabled, and follow its groups', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(resources(upstream.url), {}, {}, { plugins });
    await gateway.publish(resources(upstream.url, {}, { groups: ['silver'] }));
    expect(await statuses(gateway)).toEqual(letIn);
    expect(upstream.requests.map(({ headers }) => headers['x-consumer-groups'])).toEqual(kinds.map(() => 'silver'));
    await gateway.publish(resources(upstream.url, {}, { enabled: false }));
    expect(await statuses(gateway)).toEqual({ api_key: 401, basic: 401, hmac: 401, jwt: 401 });
  });

  it('are refused by the clock once they expire, whatever was known of them', async () => {
    await using upstream = await startUpstream();
    const expiring = (expires_at: string) =>
      resources(upstream.url, Object.fromEntries(kinds.map((kind) => [kind, { expires_at }])));
    await using gateway = await startTestGateway(expiring('2999-01-01T00:00:00Z'), {}, {}, { plugins });
    expect(await statuses(gateway)).toEqual(letIn);
    await gateway.publish(expiring('2020-01-01T00:00:00Z'));
    expect(await statuses(gateway)).toEqual({ api_key: 401, basic: 401, hmac: 401, jwt: 401 });
  });

  it('of a changed password let in the new one only', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(resources(upstream.url), {}, {}, { plugins });
    expect(await statusOf(gateway, 'basic')).toBe(200);
    await gateway.publish(resources(upstream.url, { basic: { password_hash: passwordHash('another') } }));
    expect(await statusOf(gateway, 'basic')).toBe(401);
    const authorization = `Basic ${Buffer.from('jo@home:another').toString('base64')}`;
    expect((await fetch(`${gateway.url}/basic`, { headers: { authorization } })).status).toBe(200);
  });
});
