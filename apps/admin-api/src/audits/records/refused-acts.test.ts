import { FakeClock } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { DatabaseUnavailableError } from '../../database/database-errors.ts';
import { describeOnEachDatabase, silentLog } from '../../database/each-database.test-support.ts';
import type { AuditRow } from '../../database/audit-tables.ts';
import { auditLog } from '../chain/chain-world.test-support.ts';
import type { AuditEntry } from '../audit-port.ts';
import { createRefusedActs, refusedActLimits } from './refused-acts.ts';

function refusal(tenantId: string, actorId: string): AuditEntry {
  const about = { action: 'refused', entityType: 'operation', entityId: 'createService' };
  return {
    ...about,
    tenantId,
    actorId,
    actorUsername: actorId,
    requestId: 'r',
    sourceIp: '::1',
    metadata: { code: 'x' },
  };
}

describeOnEachDatabase('refused acts', ({ database }) => {
  const recorded = async (tenantId: string): Promise<AuditRow[]> => {
    const rows = database().read.selectFrom('audit_records').selectAll().where('tenant_id', '=', tenantId);
    return rows.orderBy('id').execute();
  };
  const metadataOf = ({ disclosures }: AuditRow): unknown => JSON.parse(disclosures ?? '{}').metadata.value;

  it('are recorded up to a number for each actor, and the next record says how many were left out', async () => {
    const clock = new FakeClock();
    const acts = createRefusedActs({
      database: database(),
      audit: auditLog,
      log: silentLog,
      monotonicMs: clock.monotonicMs,
    });
    const { capacity, refillMs } = refusedActLimits.actor;
    for (let call = 0; call < capacity + 7; call += 1) acts.note(refusal('flooded', 'mallory'));
    acts.note(refusal('flooded', 'alice'));
    await acts.flush();
    const first = await recorded('flooded');
    expect(first.map((row) => row.actor_id)).toEqual([...Array.from({ length: capacity }, () => 'mallory'), 'alice']);
    clock.advance(refillMs);
    acts.note(refusal('flooded', 'mallory'));
    await acts.flush();
    const last = (await recorded('flooded')).at(-1);
    expect(last && metadataOf(last)).toEqual({ code: 'x', left_out_before: 7 });
  });

  it('are recorded up to a number for each tenant, whatever the number of its actors', async () => {
    const acts = createRefusedActs({
      database: database(),
      audit: auditLog,
      log: silentLog,
      monotonicMs: new FakeClock().monotonicMs,
    });
    for (let actor = 0; actor < refusedActLimits.tenant.capacity + 20; actor += 1)
      acts.note(refusal('many', `a${actor}`));
    acts.note(refusal('another', 'a0'));
    await acts.flush();
    expect(await recorded('many')).toHaveLength(refusedActLimits.tenant.capacity);
    expect(await recorded('another')).toHaveLength(1);
  });

  it('of insiders are recorded however many logins outsiders try, and those of who fell silent are told', async () => {
    const clock = new FakeClock();
    const acts = createRefusedActs({
      database: database(),
      audit: auditLog,
      log: silentLog,
      monotonicMs: clock.monotonicMs,
    });
    const login = (user: number): AuditEntry => ({
      ...refusal('tried', ''),
      action: 'login_refused',
      entityType: 'user',
      entityId: `user-${user}`,
    });
    const { capacity, refillMs } = refusedActLimits.tenant;
    for (let user = 0; user < capacity + 5; user += 1) acts.note(login(user));
    acts.note(refusal('tried', 'insider'));
    await acts.flush();
    const first = await recorded('tried');
    expect(first).toHaveLength(capacity + 1);
    expect(first.at(-1)?.actor_id).toBe('insider');
    clock.advance(refillMs);
    await acts.flush();
    const told = (await recorded('tried')).slice(capacity + 1);
    expect(told.map((row) => [row.entity_id, metadataOf(row)])).toEqual([
      [`user-${capacity + 4}`, { code: 'x', left_out_of_tenant: 4 }],
    ]);
    clock.advance(60 * refillMs);
    await acts.flush();
    expect(await recorded('tried')).toHaveLength(capacity + 2);
  });

  it('wait while the database is away, and one that cannot be written does not keep the others from it', async () => {
    let isAway = true;
    const transaction: ReturnType<typeof database>['transaction'] = (work) =>
      isAway ? Promise.reject(new DatabaseUnavailableError('away')) : database().transaction(work);
    const acts = createRefusedActs({
      database: { transaction },
      audit: auditLog,
      log: silentLog,
      monotonicMs: new FakeClock().monotonicMs,
    });
    acts.note(refusal('patient', 'a'));
    await expect(acts.flush()).rejects.toThrow('away');
    isAway = false;
    await acts.flush();
    expect(await recorded('patient')).toHaveLength(1);
    acts.note({ ...refusal('patient', 'b'), metadata: { name: '\ud800' } });
    await expect(acts.flush()).rejects.toThrow('surrogate');
    acts.note(refusal('patient', 'c'));
    await acts.flush();
    expect((await recorded('patient')).map((row) => row.actor_id)).toEqual(['a', 'c']);
  });
});
