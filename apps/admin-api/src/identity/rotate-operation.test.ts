import { FakeClock } from '@portcullis/testkit';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { password, startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { signingKeyTimes } from './signing-keys.ts';

const rotate = '/api/v1/admin/signing-keys/rotate';

describeOnEachDatabase('rotating the signing keys of a running service', (context) => {
  const clock = new FakeClock({ nowMs: Date.now() });
  /** Two, where the database can be shared. */
  const services: TestService[] = [];
  beforeAll(async () => {
    const surroundings = { nowMs: clock.nowMs, monotonicMs: clock.monotonicMs };
    for (let count = context.dialect === 'postgres' ? 2 : 1; count > 0; count -= 1) {
      services.push(await startTestService(context.url(), surroundings));
    }
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
  });

  const [first, last] = [() => services[0] as TestService, () => services.at(-1) as TestService];
  const logIn = async (service: TestService): Promise<{ access_token: string; refresh_token: string }> =>
    (await service.call('POST', '/auth/login', { username: 'admin', password }, { token: '' })).body;
  const status = async (service: TestService, token: string): Promise<number> =>
    (await service.call('GET', '/api/v1/admin/tenants', undefined, { token })).status;
  const published = async (service: TestService): Promise<string[]> =>
    (await service.call('GET', '/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid);

  it('refuses no caller, neither while it is rotated nor when the new key begins to sign', async () => {
    const logins = await Promise.all(services.map(async (service) => ({ service, pair: await logIn(service) })));
    const tokens = logins.map(({ pair }) => pair.access_token);
    const answers: number[] = [];
    for (let round = 0; round < 16; round += 1) {
      const callers = services.flatMap((service) => tokens.map((token) => status(service, token)));
      const rotation = round === 4 ? last().call('POST', rotate) : undefined;
      answers.push(...(await Promise.all(callers)));
      if (rotation) expect((await rotation).body.keys).toHaveLength(2);
      clock.advance(1_000);
      for (const login of logins) {
        const { refresh_token } = login.pair;
        login.pair = (await login.service.call('POST', '/auth/refresh', { refresh_token }, { token: '' })).body;
        tokens.push(login.pair.access_token);
      }
    }
    expect(answers.filter((answer) => answer !== 200)).toEqual([]);
    const kids = tokens.map((token) => decodeProtectedHeader(token).kid);
    expect(new Set(kids).size).toBe(2);
    expect(new Set(await published(first()))).toEqual(new Set(kids));
  });

  it('ends every access token at once where the old keys are revoked; refreshing gives one that is good', async () => {
    const { access_token: access, refresh_token: refresh } = await logIn(first());
    const answer = await last().call('POST', rotate, { revoke_previous: true }, { token: access });
    expect(answer.body.keys).toEqual([
      { kid: expect.any(String), created_at: new Date(clock.nowMs()).toISOString(), retired_at: null },
    ]);
    clock.advance(5_000);
    for (const service of services) {
      expect(await status(service, access)).toBe(401);
      expect(await published(service)).toEqual([answer.body.keys[0].kid]);
    }
    const refreshed = await first().call('POST', '/auth/refresh', { refresh_token: refresh }, { token: '' });
    for (const service of services) expect(await status(service, refreshed.body.access_token)).toBe(200);
    const { body } = await first().call('GET', '/api/v1/admin/audits/?actions=rotate', undefined, {
      token: refreshed.body.access_token,
    });
    expect(body.items.map(({ metadata }: { metadata: object }) => metadata)).toMatchObject([
      { revoke_previous: true },
      { revoke_previous: false },
    ]);
  });

  it('takes no field that it does not know', async () => {
    clock.advance(signingKeyTimes.verifyOnlyMs);
    const { access_token: token } = await logIn(first());
    for (const body of [{ revoke: true }, { revoke_previous: 'yes' }, []]) {
      expect((await first().call('POST', rotate, body, { token })).status, JSON.stringify(body)).toBe(422);
    }
  });
});
