import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] });
const issuer = 'https://issuer.test/';
const local = { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };

function tokenOf(claims: object, key: KeyObject = privateKey): string {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const parts = [
    { alg: 'ES256', kid: 'k1' },
    { exp, ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = sign('sha256', Buffer.from(parts.join('.')), { key, dsaEncoding: 'ieee-p1363' });
  return [...parts, signature.toString('base64url')].join('.');
}

async function statusOf(gateway: TestGateway, token: string): Promise<number> {
  const answer = await fetch(gateway.url, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  return answer.status;
}

function ofIssuer(upstreamUrl: string, keysUrl: string): Resources {
  const config = { issuer, public_key: keysUrl, upstream_headers: { 'X-Mail': 'email' }, hide_credentials: true };
  return {
    ...everythingTo(upstreamUrl, { plugins: [{ name: 'oidc', config }] }),
    consumers: [{ id: 'c-jo', username: 'jo', custom_id: 'subject-of-jo', groups: ['gold'] }],
  };
}

describe('tokens of an issuer', () => {
  it('identify consumers; keys come from the issuer', async () => {
    await using upstream = await startUpstream();
    await using keys = await startUpstream((_req, res) => void res.end(jwks));
    await using gateway = await startTestGateway(ofIssuer(upstream.url, keys.url), local);
    expect(await statusOf(gateway, tokenOf({ iss: issuer, sub: 'subject-of-jo', email: 'jo@a.test' }))).toBe(200);
    expect(await statusOf(gateway, tokenOf({ iss: issuer, sub: 'zoë ✓' }))).toBe(200);
    expect(await statusOf(gateway, tokenOf({ iss: 'https://other.test/', sub: 'subject-of-jo' }))).toBe(401);
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect(await statusOf(gateway, tokenOf({ iss: issuer, sub: 'subject-of-jo' }, stranger))).toBe(401);
    const [jo, zoe] = upstream.requests.map(({ headers }) => headers);
    expect(jo).toMatchObject({ 'x-consumer-id': 'c-jo', 'x-consumer-groups': 'gold', 'x-mail': 'jo@a.test' });
    expect(jo).not.toHaveProperty('authorization');
    expect(zoe).toMatchObject({ 'x-consumer-id': 'zo%C3%AB%20%E2%9C%93' });
    expect([upstream.requests.length, keys.requests.length]).toEqual([2, 1]);
  });

  it('are refused while the consumer whom they name is disabled, also when they were seen before', async () => {
    await using upstream = await startUpstream();
    await using keys = await startUpstream((_req, res) => void res.end(jwks));
    const resources = ofIssuer(upstream.url, keys.url);
    await using gateway = await startTestGateway(resources, local);
    const token = tokenOf({ iss: issuer, sub: 'subject-of-jo' });
    expect([await statusOf(gateway, token), await statusOf(gateway, token)]).toEqual([200, 200]);
    const [jo] = resources.consumers ?? [];
    await gateway.publish({ ...resources, consumers: [{ ...jo, id: 'c-jo', enabled: false }] });
    expect(await statusOf(gateway, token)).toBe(401);
    await gateway.publish(resources);
    expect(await statusOf(gateway, token)).toBe(200);
  });

  it('may all be new at the same time', async () => {
    await using upstream = await startUpstream();
    await using keys = await startUpstream((_req, res) => void res.end(jwks));
    await using gateway = await startTestGateway(ofIssuer(upstream.url, keys.url), local);
    expect(await statusOf(gateway, tokenOf({ iss: issuer, sub: 'first' }))).toBe(200);
    const tokens = Array.from({ length: 150 }, (_, index) => tokenOf({ iss: issuer, sub: `u${index}` }));
    const statuses = await Promise.all(tokens.map((token) => statusOf(gateway, token)));
    expect(statuses).toEqual(tokens.map(() => 200));
  });

  it('are refused with 503 where the operator does not let the issuer be called', async () => {
    await using upstream = await startUpstream();
    await using keys = await startUpstream((_req, res) => void res.end(jwks));
    await using gateway = await startTestGateway(ofIssuer(upstream.url, keys.url));
    expect([await statusOf(gateway, tokenOf({ iss: issuer })), keys.connections()]).toEqual([503, 0]);
  });
});

describe('tokens of a consumer', () => {
  const ofConsumer = (url: string, parts: object = {}): Resources => ({
    ...everythingTo(url, { plugins: [{ name: 'jwt_auth', config: {} }] }),
    consumers: [{ id: 'c-jo', username: 'jo', groups: [] }],
    consumer_credentials: [
      {
        id: 'credential-1',
        consumer_id: 'c-jo',
        type: 'jwt',
        name: 'app',
        key: 'app',
        algorithm: 'ES256',
        public_key: publicKey.export({ type: 'spki', format: 'pem' }),
        enabled: true,
        ...parts,
      },
    ],
  });

  it('identify it until its credential is disabled, also when they were seen before', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(ofConsumer(upstream.url));
    const token = tokenOf({ iss: 'app' });
    expect([await statusOf(gateway, token), await statusOf(gateway, token)]).toEqual([200, 200]);
    expect(upstream.requests[1]?.headers).toMatchObject({
      'x-consumer-id': 'c-jo',
      'x-credential-identifier': 'credential-1',
    });
    await gateway.publish(ofConsumer(upstream.url, { enabled: false }));
    expect(await statusOf(gateway, token)).toBe(401);
    await gateway.publish(ofConsumer(upstream.url));
    expect(await statusOf(gateway, token)).toBe(200);
  });
});
