import { randomBytes } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { parseKeyRing } from '../secrets/key-ring.ts';
import { resealTenantKeys } from '../secrets/reseal-tenant-keys.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createResourceStore } from '../store/create-resource-store.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';
const key = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;

describeOnEachDatabase('snapshots and the keys that seal secrets', (context) => {
  let service: TestService | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  it('a snapshot outlives the key ring that it was taken under: its secrets come back and open', async () => {
    const start = (ring: string) => startTestService(context.url(), { settings: { PORTCULLIS_SECRET_KEYS: ring } });
    const first = (service = await start(key('old', 1)));
    await first.addTenant('acme');
    const call = async (path: string, method: string, body: object): Promise<{ readonly id: string }> => {
      const answer = await service?.call(method, `${admin}${path}?tenant_id=acme`, body);
      expect(answer?.status, JSON.stringify(answer?.body)).toBeLessThan(300);
      return answer?.body;
    };
    await call('/consumers', 'POST', { id: 'kim', username: 'kim' });
    const credential = {
      id: 'signer',
      consumer_id: 'kim',
      type: 'hmac',
      key_id: 'k',
      secret: 'the-first-secret-of-kim',
    };
    await call('/consumer-credentials', 'POST', credential);
    const taken = await call('/config/snapshots', 'POST', {});
    await call('/consumer-credentials/signer', 'PATCH', { secret: 'the-second-secret-of-kim' });

    await first.stop();
    const database = context.database();
    const rings = parseKeyRing(`${key('new', 2)},${key('old', 1)}`);
    if (!rings.ok) throw new Error('no key ring');
    const outcome = await resealTenantKeys({ database, keyRing: rings.keyRing, randomBytes });
    expect(outcome).toMatchObject({ left: 0 });
    service = await start(key('new', 2));

    await call(`/config/snapshots/${taken.id}/rollback`, 'POST', {});
    const onlyNew = parseKeyRing(key('new', 2));
    if (!onlyNew.ok) throw new Error('no key ring');
    const secrets = createSecretBox({ keyRing: onlyNew.keyRing, database, clock: { nowMs: Date.now } });
    const stored = await createResourceStore().get(database.read, 'acme', 'consumer-credentials', 'signer');
    const place = { family: 'consumer-credentials', id: 'signer', pointer: '/secret' };
    expect(await secrets.open('acme', place, stored?.secrets['/secret'] ?? '')).toBe('the-first-secret-of-kim');
  });
});
