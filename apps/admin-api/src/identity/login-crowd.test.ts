import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { createLogin, type LoginParts } from './login.ts';
import { createLoginThrottle, loginLimits } from './login-throttle.ts';
import { HashQueueFullError } from './password-hasher.ts';

describeOnEachDatabase('logins while a tenant has many passwords hashed', (context) => {
  let service: TestService;
  let writer: string;
  beforeAll(async () => {
    service = await startTestService(context.url());
    for (const tenant of ['greedy', 'modest']) await service.addTenant(tenant);
    writer = await service.addUser('greedy', 'writer', 'writer');
    await service.addUser('modest', 'owner', 'admin');
    const consumer = { tenant_id: 'greedy', username: 'ann' };
    expect((await service.call('POST', '/api/v1/admin/consumers', consumer)).status).toBe(201);
  });
  afterAll(() => service.stop());

  it('are let in, and so are passwords of other tenants', { timeout: 60_000 }, async () => {
    const path = '/api/v1/admin/consumers/ann/credentials';
    const answered: number[] = [];
    const flood = Array.from({ length: 120 }, async (_, index) => {
      const body = { type: 'basic', username: `ann-${index}`, password: `a password of ann ${index}` };
      answered.push((await service.call('POST', path, body, { token: writer })).status);
    });
    const during: number[] = [];
    do {
      const answer = await service.call('POST', '/auth/login', { username: 'owner', password }, { token: '' });
      const user = { tenant_id: 'modest', username: `user ${during.length}`, password, role: 'reader' };
      during.push(answer.status, (await service.call('POST', '/api/v1/admin/users', user)).status);
    } while (answered.length < flood.length);
    expect(new Set(during)).toEqual(new Set([200, 201]));
    await Promise.all(flood);
    expect(new Set(answered)).toEqual(new Set([201, 503]));
  });
});

describe('a login that breaks off', () => {
  const request = { requestId: 'r', sourceIp: '192.0.2.1', method: 'POST', path: '/auth/login' };
  const context = { ...request, header: () => undefined, signal: new AbortController().signal };
  const break503 = async (): Promise<never> => Promise.reject(new HashQueueFullError('full'));
  const wrong = async () => ({ matches: false, needsRehash: false });

  it('does not count as a failed one', async () => {
    let verify: typeof break503 | typeof wrong = break503;
    const login = createLogin({
      throttle: createLoginThrottle(() => 0),
      users: { findByName: async () => undefined },
      hasher: { decoy: () => '', verify: async () => verify() },
    } as unknown as LoginParts);
    const attempt = () => login({ username: 'owner', password }, context);
    for (let count = 0; count < 3 * loginLimits.address.capacity; count += 1) {
      await expect(attempt()).rejects.toBeInstanceOf(HashQueueFullError);
    }
    verify = wrong;
    for (let count = 0; count < loginLimits.accountFromAddress.capacity; count += 1) {
      await expect(attempt()).rejects.toMatchObject({ code: 'unauthenticated' });
    }
    await expect(attempt()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
