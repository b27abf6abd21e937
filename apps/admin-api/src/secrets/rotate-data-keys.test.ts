import { randomBytes } from 'node:crypto';
import { FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { readDataKeys } from './data-keys.ts';
import { parseKeyRing } from './key-ring.ts';
import { rotateDataKeys, type RotationParts } from './rotate-data-keys.ts';
import { sealedCells } from './sealed-cells.ts';
import { createSecretBox, type SecretBox } from './secret-box.ts';
import { TenantKeys } from './tenant-keys.ts';

const parsed = parseKeyRing(`k1:${Buffer.alloc(32, 1).toString('base64')}`);
if (!parsed.ok) throw new Error('unreachable');
const { keyRing } = parsed;
const pointer = '/config/key';
const placeOf = (id: string) => ({ family: 'plugins', id, pointer });
const record = {
  family: 'plugins',
  gateway_id: null,
  name: null,
  enabled: 1,
  revision: 1,
  body: '{}',
  tenant_revision: 1,
};
const times = { created_at: 1, updated_at: 1 };

describeOnEachDatabase('new data keys', ({ database }) => {
  const clock = new FakeClock();
  const boxOf = (): SecretBox => createSecretBox({ keyRing, database: database(), clock });
  const parts = (own: Database, whileWaiting?: () => Promise<void>): RotationParts => ({
    database: own,
    keyRing,
    randomBytes,
    async wait(ms) {
      // Replicas work on all the while, with clocks that move.
      for (let passed = 0; passed < ms; passed += 5_000) {
        clock.advance(Math.min(5_000, ms - passed));
        if (ms >= 1_000) await whileWaiting?.();
      }
    },
  });
  const put = async (box: SecretBox, tenantId: string, id: string, plain: string): Promise<void> => {
    await database().transaction(async (transaction) => {
      const secrets = await box.forTenant(tenantId, transaction);
      const sealed = JSON.stringify({ [pointer]: secrets.seal(placeOf(id), plain) });
      await transaction
        .insertInto('resources')
        .values({ ...record, ...times, tenant_id: tenantId, id, secrets: sealed })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'family', 'id']).doUpdateSet({ secrets: sealed }))
        .execute();
    });
  };
  const valueOf = async (box: SecretBox, tenantId: string, id: string): Promise<string> => {
    const { secrets } = await database()
      .read.selectFrom('resources')
      .select('secrets')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const sealed = (JSON.parse(secrets ?? '{}') as Record<string, string>)[pointer] ?? '';
    return box.open(tenantId, placeOf(id), sealed);
  };
  const keysOf = async (tenantId: string) => {
    const bytes = await new TenantKeys({ keyRing, clock, randomBytes }).find(database().read, tenantId);
    return readDataKeys(bytes ?? Buffer.alloc(0));
  };
  const ids = Array.from({ length: 50 }, (_, at) => `p${at}`);

  it('seal everything, everywhere, and only they; masks and digests stay', async () => {
    const box = boxOf();
    const tenant = 'every-place';
    for (const id of ids) await put(box, tenant, id, `secret of ${id}`);
    const { lasting } = await keysOf(tenant);
    const before = await box.forTenant(tenant);
    const answer = before.seal({ family: 'idempotency-keys', id: 'key-1', pointer: '/answer' }, 'an answer');
    const jwk = await box.seal('', { family: 'signing-keys', id: 'kid-1', pointer: '/private_jwk' }, 'a private key');
    const seed = await box.seal('', { family: 'audit-keys', id: 'log', pointer: '/seed' }, 'a seed');
    const past = JSON.stringify({ [pointer]: before.seal(placeOf('gone'), 'a former secret') });
    const { tenant_revision: _, ...stored } = record;
    await database().transaction(async (transaction) => {
      await transaction
        .insertInto('resource_history')
        .values({
          ...stored,
          ...times,
          tenant_id: tenant,
          id: 'gone',
          secrets: past,
          from_revision: 1,
          until_revision: 2,
        })
        .execute();
      await transaction
        .insertInto('idempotency_keys')
        .values({ tenant_id: tenant, key: 'key-1', fingerprint: 'f', answer, created_at: 1 })
        .execute();
      const keys = { kid: 'kid-1', public_jwk: '{}', private_jwk: jwk, created_at: 1, retired_at: null };
      await transaction.insertInto('signing_keys').values(keys).execute();
      const audit = { key_id: 'a1', name: 'log', verifier_key: 'v', sealed_seed: seed, signed_change: null, since: 1 };
      await transaction.insertInto('audit_keys').values(audit).execute();
    });

    const old = await keysOf(tenant);
    expect(await rotateDataKeys(parts(database()))).toEqual({ tenants: 2, places: 54, troubles: [] });
    const after = await boxOf().forTenant(tenant);
    expect((await keysOf(tenant)).sealing).toHaveLength(1);
    expect((await keysOf(tenant)).sealing).not.toEqual(old.sealing);
    expect((await keysOf(tenant)).lasting).toEqual(lasting);
    expect([after.maskOf('x'), after.digestOf('x')]).toEqual([before.maskOf('x'), before.digestOf('x')]);
    for (const owner of [tenant, '']) {
      const secrets = await boxOf().forTenant(owner);
      for await (const cells of sealedCells(database().read, owner)) {
        // Opens each, and finds each sealed with the new key.
        for (const cell of cells) expect(cell.resealed(secrets)).toBe(cell.text);
      }
    }
    for (const id of ids) expect(await valueOf(boxOf(), tenant, id)).toBe(`secret of ${id}`);
    const again = await rotateDataKeys(parts(database()));
    expect(again).toEqual({ tenants: 2, places: 54, troubles: [] });
  });

  it(
    'lose nothing while replicas write, and when the command is killed after every other of its transactions',
    { timeout: 180_000 },
    async () => {
      const tenant = 'kills';
      const replicas = [boxOf(), boxOf()];
      const live = new Map<string, string>();
      let writes = 0;
      const work = async (): Promise<void> => {
        for (const box of replicas) {
          const id = ids[(writes += 1) % ids.length] ?? '';
          await put(box, tenant, id, `write ${writes}`);
          live.set(id, `write ${writes}`);
          for (const reader of replicas) expect(await valueOf(reader, tenant, id)).toBe(live.get(id));
        }
      };
      while (live.size < ids.length) await work();
      for (let kill = 1; ; kill += 2) {
        let left = kill;
        const killed: Database = {
          ...database(),
          read: database().read,
          async transaction(act) {
            if (left === 0) throw new Error('killed');
            left -= 1;
            return database().transaction(act);
          },
        };
        const outcome = await rotateDataKeys(parts(killed, work)).catch((error: unknown) => error);
        await work();
        for (const [id, plain] of live) expect(await valueOf(boxOf(), tenant, id)).toBe(plain);
        if (outcome instanceof Error) expect(outcome.message).toBe('killed');
        else {
          expect(outcome).toMatchObject({ troubles: [] });
          break;
        }
      }
      expect((await keysOf(tenant)).sealing).toHaveLength(1);
      expect(writes).toBeGreaterThan(100);
      for (const [id, plain] of live) expect(await valueOf(boxOf(), tenant, id)).toBe(plain);
    },
  );

  it('leave a tenant its earlier keys where a value does not open, and say which', async () => {
    const tenant = 'broken';
    await put(boxOf(), tenant, 'whole', 'whole');
    await put(boxOf(), tenant, 'x-broken', 'broken');
    await database().transaction((transaction) =>
      transaction
        .updateTable('resources')
        .set({ secrets: JSON.stringify({ [pointer]: 'pc1.tenant.00000000.AAAA' }) })
        .where('id', '=', 'x-broken')
        .execute(),
    );
    const { troubles } = await rotateDataKeys(parts(database()));
    expect(troubles).toEqual([
      expect.stringMatching(/^Tenant broken keeps its earlier data keys: plugins\/x-broken does not open /),
    ]);
    expect((await keysOf(tenant)).sealing).toHaveLength(2);
    expect(await valueOf(boxOf(), tenant, 'whole')).toBe('whole');
  });
});
