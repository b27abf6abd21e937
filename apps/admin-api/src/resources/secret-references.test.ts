import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfiguration, recordsOf } from '../data-planes/read-configuration.test-support.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService, type Answer, type TestService } from '../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';
const reference = 'vault://prod/billing/token';
const canary = 'canary-of-a-secret';

describeOnEachDatabase('references in secret fields', (context) => {
  let service: TestService;
  let token = '';
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `${admin}${path}?tenant_id=acme`, body);
  const done = async (method: string, path: string, body?: unknown): Promise<Answer['body']> => {
    const answer = await call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const delivered = async (family: 'plugins' | 'routes' | 'consumer_credentials') => {
    const { body } = await service.call('GET', '/api/v1/data-plane/config', undefined, { token });
    return recordsOf(readConfiguration(body), family);
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await done('POST', '/gateways', { id: 'edge', name: 'edge' });
    token = (await done('POST', '/data-planes', { gateway_id: 'edge', name: 'node' })).token;
    await done('POST', '/consumers', { id: 'alice', username: 'alice' });
  });
  afterAll(() => service.stop());

  it('are shown, exported, imported and delivered as they are, beside secrets that stay hidden', async () => {
    const config = { valid_keys: [reference, canary] };
    const made = await done('POST', '/plugins', { name: 'api_key_auth', config });
    const masked = [reference, expect.stringMatching(/^\[redacted:/) as unknown];
    expect(made.config).toMatchObject({ valid_keys: masked });
    const exported = await done('GET', '/config/export');
    expect(exported.plugins).toMatchObject([{ config: { valid_keys: masked } }]);
    expect(JSON.stringify(exported)).not.toContain(canary);
    const unchanged = await done('POST', '/config/diff', exported);
    expect(JSON.stringify(unchanged)).not.toContain('api_key_auth');
    expect(await delivered('plugins')).toMatchObject([{ config }]);
    // What is sent back keeps the secret, and a reference can take its place.
    await done('PATCH', `/plugins/${made.id}`, { config: { valid_keys: [...made.config.valid_keys].toReversed() } });
    expect(await delivered('plugins')).toMatchObject([{ config: { valid_keys: [canary, reference] } }]);
    const replaced = await done('PATCH', `/plugins/${made.id}`, { config: { valid_keys: ['env://KEY'] } });
    expect(replaced.config).toMatchObject({ valid_keys: ['env://KEY'] });
    await done('DELETE', `/plugins/${made.id}`);
  });

  it("may stand in a route's own plugins and in secrets that credentials sign with", async () => {
    const plugins = [{ name: 'basic_auth', config: { allowed_users: [{ username: 'a', password: reference }] } }];
    await done('POST', '/gateways/edge/routes', { name: 'r', path: '/r', plugins });
    expect(await delivered('routes')).toMatchObject([{ plugins }]);
    const credential = { consumer_id: 'alice', type: 'hmac', key_id: 'k', secret: reference };
    expect(await done('POST', '/consumers/alice/credentials', credential)).toMatchObject({ secret: reference });
    expect(await delivered('consumer_credentials')).toMatchObject([{ key_id: 'k', secret: reference }]);
  });

  it.each([
    ['/plugins', { name: 'api_key_auth', config: { valid_keys: ['vault://Prod/x'] } }, '/config/valid_keys/0'],
    [
      '/plugins',
      { name: 'api_key_auth', config: { valid_keys: [{ key: 'vault://prod/../x', consumer: 'c' }] } },
      '/config/valid_keys/0/key',
    ],
    ['/plugins', { name: 'oauth2', config: { valid_tokens: ['env://1X'] } }, '/config/valid_tokens/0'],
    [
      '/gateways/edge/routes',
      { name: 'q', path: '/q', plugins: [{ name: 'api_key_auth', config: { valid_keys: ['vault://'] } }] },
      '/plugins/0/config/valid_keys/0',
    ],
    ['/consumers/alice/credentials', { type: 'hmac', secret: 'vault://prod' }, '/secret'],
    // These are kept as hashes: the public text of the reference would be the key.
    ['/consumers/alice/credentials', { type: 'api_key', key: reference }, '/key'],
    ['/consumers/alice/credentials', { type: 'basic', username: 'u', password: reference }, '/password'],
  ])('are refused in %s where they are malformed or would become the secret: %j', async (path, body, pointer) => {
    const answer = await call('POST', path, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ pointer }]);
  });
});
