import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { chainedDatabase } from '../audits/chain/chained-database.ts';
import { createSequencer } from '../audits/chain/sequencer.ts';
import { createAuditLog } from '../audits/records/audit-log.ts';
import { createRevisions } from '../revisions/revisions.ts';
import { createResourceStore } from '../store/create-resource-store.ts';
import { gatewayOfChange } from '../data-planes/gateway-revision.ts';
import { openDatabase } from './open-database.ts';

/**
 * Commits and chains until it is killed, several writers at a time, and prints each record's ID once its commit was acknowledged.
 * Argument: the database's address.
 */
async function main(url: string): Promise<void> {
  const clock = { nowMs: () => Date.now() };
  const opened = await openDatabase({ url, log: console });
  const audits = createAuditLog({ ids: uuidv7, clock });
  const monotonicMs = (): number => performance.now();
  const sequencer = createSequencer({ database: opened, log: console, monotonicMs });
  const database = chainedDatabase(opened, (transaction) => audits.wroteIn(transaction), sequencer);
  const store = createResourceStore();
  const revisions = createRevisions({ clock, database, gatewayOf: gatewayOfChange });
  const nowMs = clock.nowMs();
  const actor = { actorId: 'u', actorUsername: 'u', requestId: 'r', sourceIp: '::1' };
  const writeOne = async (id: string): Promise<void> => {
    await database.transaction(async (transaction) => {
      const tenantId = 'acme';
      const family = 'service';
      const names = { tenantId, family, id, gatewayId: null, name: id };
      const locked = await revisions.lock(transaction, tenantId);
      const times = { revision: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
      const record = { ...names, ...times, enabled: true, body: { id }, secrets: {}, tenantRevision: locked + 1 };
      const keys = [{ keyName: 'name', scope: tenantId, value: id }];
      const result = await store.insert(transaction, { record, keys, references: [] });
      if (!result.ok) throw new Error(result.conflict.kind);
      await audits.append(transaction, [{ ...actor, tenantId, action: 'create', entityType: family, entityId: id }]);
      await revisions.advance(transaction, tenantId, locked, [{ family, id, action: 'create', gateway_id: null }]);
    });
    process.stdout.write(`${id}\n`);
  };
  const writer = async (): Promise<never> => {
    for (;;) await writeOne(randomUUID());
  };
  await Promise.all([writer(), writer(), writer()]);
}

await main(process.argv[2] ?? '');
