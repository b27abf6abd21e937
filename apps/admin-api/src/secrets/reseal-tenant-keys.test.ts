import { randomBytes } from 'node:crypto';
import { FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { parseKeyRing, type KeyRing } from './key-ring.ts';
import { createResealTask, resealTenantKeys } from './reseal-tenant-keys.ts';
import { createSecretBox, type SecretBox } from './secret-box.ts';

const OLD = `old:${randomBytes(32).toString('base64')}`;
const NEW = `new:${randomBytes(32).toString('base64')}`;
const place = { family: 'credential', id: 'c1', pointer: '/config/key' };

function ring(...keys: string[]): KeyRing {
  const result = parseKeyRing(keys.join(','));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.keyRing;
}

describeOnEachDatabase('data keys under an old key of the ring', ({ database }) => {
  const boxWith = (...keys: string[]): SecretBox =>
    createSecretBox({ keyRing: ring(...keys), database: database(), clock: new FakeClock() });
  const partsWith = (...keys: string[]) => ({ database: database(), keyRing: ring(...keys), randomBytes });
  const tenants = Array.from({ length: 130 }, (_, index) => `tenant-${index}`);
  const opens = async (box: SecretBox, sealed: ReadonlyMap<string, string>): Promise<void> => {
    for (const [tenantId, text] of sealed) expect(await box.open(tenantId, place, text)).toBe(tenantId);
  };

  it('are sealed under the first one in steps, after which the old one is not needed', async () => {
    const box = boxWith(OLD);
    const sealed = new Map<string, string>();
    for (const tenantId of tenants) sealed.set(tenantId, await box.seal(tenantId, place, tenantId));
    await expect(boxWith(NEW).forTenant('tenant-7')).rejects.toMatchObject({ code: 'secret_wrong_key' });

    // Cut short: some are under the new key, some under the old one, and a ring with both opens all.
    expect(await resealTenantKeys(partsWith(NEW, OLD), 1)).toEqual({ resealed: 50, left: 80 });
    await opens(boxWith(NEW, OLD), sealed);
    await opens(boxWith(OLD, NEW), sealed);
    await box.seal('made-meanwhile', place, 'by a replica whose first key is still the old one');

    // Two replicas at once: each key is sealed again once.
    const outcomes = await Promise.all([resealTenantKeys(partsWith(NEW, OLD)), resealTenantKeys(partsWith(NEW, OLD))]);
    expect(outcomes.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(81);
    expect(await resealTenantKeys(partsWith(NEW, OLD))).toEqual({ resealed: 0, left: 0 });
    await opens(boxWith(NEW), sealed);
    await expect(boxWith(OLD).forTenant('tenant-7')).rejects.toMatchObject({ code: 'secret_wrong_key' });
    expect(
      await boxWith(NEW)
        .forTenant('tenant-7')
        .then(({ maskOf }) => maskOf('x')),
    ).toBe((await box.forTenant('tenant-7')).maskOf('x'));
    const digestIn = async (of: SecretBox): Promise<string> => (await of.forTenant('tenant-7')).digestOf('x');
    expect(await digestIn(boxWith(NEW))).toBe(await digestIn(box));
    expect(await digestIn(box)).not.toBe((await box.forTenant('tenant-8')).digestOf('x'));
  });

  it('that the ring does not open stay, are counted, and keep no other from its turn', async () => {
    const lost = { tenant_id: 'a-lost', key_id: 'lost', sealed_key: 'pc1.lost.00000000.AAAA', created_at: 1 };
    await database().transaction((transaction) => transaction.insertInto('tenant_keys').values(lost).execute());
    const sealed = await boxWith(OLD, NEW).seal('b-found', place, 'b-found');
    const lines: unknown[][] = [];
    const log = {
      info: (...line: unknown[]) => void lines.push(line),
      warn: (...line: unknown[]) => void lines.push(line),
    };
    const run = createResealTask(partsWith(NEW, OLD), log);
    await run();
    await opens(boxWith(NEW), new Map([['b-found', sealed]]));
    await database().transaction((transaction) =>
      transaction.deleteFrom('tenant_keys').where('tenant_id', '=', 'a-lost').execute(),
    );
    await run();
    await run();
    expect(lines).toEqual([
      [{ key_id: 'new', resealed: 1, left: 1 }, expect.stringContaining('left')],
      [{ key_id: 'new', resealed: 0 }, 'all data keys are sealed under the first key of the ring'],
    ]);
  });
});
