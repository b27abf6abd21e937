import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';
import { dayMs, defaultRetention, minuteDays, retentionOf, type RetentionRule } from './retention-rules.ts';

/** Longer than any attempt to send a batch can be under way after the node has gone on to its next. */
export const batchesMs: number = 2 * dayMs;

/** Rows that one transaction deletes, so that none holds the writer for long. */
export const rowsPerStep = 1000;
/** Transactions, and tenants, of one run; what is left then waits for the next. */
const stepsMax = 200;
const tenantsPerRun = 100;

/** Rows of one table that have been kept long enough. */
interface OldRows {
  readonly table: 'observation_records' | 'observation_counters' | 'observation_drops' | 'observation_batch_parts';
  readonly key: readonly string[];
  readonly condition: RawBuilder<SqlBool>;
}

/** Deletes observations that have been kept long enough. */
export interface ObservationPruning {
  /**
   * Deletes some, in small transactions between which other writers get their turn, and goes on from there the next time: tenant
   * after tenant. Replicas may run it at once.
   */
  run(nowMs: number): Promise<void>;
}

/** Makes the pruning, which begins with the first tenant. */
export function createObservationPruning(database: Database): ObservationPruning {
  let last = '';
  return {
    async run(nowMs) {
      let steps = stepsMax;
      const prune = async (rows: OldRows): Promise<void> => {
        while (steps > 0 && (await isAny(database, rows))) {
          steps -= 1;
          if ((await deleteSome(database, rows)) < rowsPerStep) return;
        }
      };
      await prune({
        table: 'observation_batch_parts',
        key: ['tenant_id', 'data_plane_id', 'boot_id', 'sequence', 'part'],
        condition: isSettled(nowMs),
      });
      for (let tenants = 0; tenants < tenantsPerRun; tenants += 1) {
        const tenantId = await nextTenant(database, last);
        if (tenantId === undefined) {
          last = '';
          return;
        }
        for (const rows of oldRows(tenantId, await retentionOf(database.read, tenantId), nowMs)) await prune(rows);
        // A tenant with more than one run can delete is gone on with the next time, after all others.
        last = tenantId;
        if (steps === 0) return;
      }
    },
  };
}

/**
 * Parts of batches that cannot come again. A node sends a batch for as long as nobody takes it, and only then the next one: so the last of each
 * run of a node is remembered for as long as its counters would be taken.
 */
function isSettled(nowMs: number): RawBuilder<SqlBool> {
  return sql`received_at < ${nowMs - batchesMs} and (
    exists (
      select 1 from observation_batch_parts as later
      where later.tenant_id = observation_batch_parts.tenant_id
        and later.data_plane_id = observation_batch_parts.data_plane_id
        and later.boot_id = observation_batch_parts.boot_id
        and later.sequence > observation_batch_parts.sequence
    )
    or received_at < ${nowMs} - ${dayMs} * coalesce(
      (
        select rule.rollup_days from observation_retention_rules as rule
        where rule.tenant_id = observation_batch_parts.tenant_id
      ),
      ${defaultRetention.rollupDays}
    )
  )`;
}

function oldRows(tenantId: string, rule: RetentionRule, nowMs: number): OldRows[] {
  const minuteBefore = (days: number): number => Math.floor((nowMs - days * dayMs) / 60_000);
  // A row of a whole hour goes when all of its minutes are too old.
  const hour = minuteBefore(rule.rollupDays) - 60;
  const firstMinutes = {
    gateway_hour: hour,
    route_hour: hour,
    gateway_minute: minuteBefore(Math.min(rule.rollupDays, minuteDays.gateway)),
    route_minute: minuteBefore(Math.min(rule.rollupDays, minuteDays.route)),
  };
  const oldestMs = nowMs - rule.requestDays * dayMs;
  return [
    {
      table: 'observation_records',
      key: ['tenant_id', 'arrival'],
      condition: sql`tenant_id = ${tenantId} and occurred_at < ${oldestMs}`,
    },
    ...Object.entries(firstMinutes).map(([grain, minute]): OldRows => ({
      table: 'observation_counters',
      key: ['tenant_id', 'gateway_id', 'grain', 'minute', 'route_id', 'service_id'],
      condition: sql`tenant_id = ${tenantId} and grain = ${grain} and minute < ${minute}`,
    })),
    {
      table: 'observation_drops',
      key: ['tenant_id', 'gateway_id', 'minute'],
      condition: sql`tenant_id = ${tenantId} and minute < ${hour}`,
    },
  ];
}

/** Asked away from the writer, so that a run with nothing to do does not concern it. */
async function isAny(database: Database, { table, condition }: OldRows): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} where ${condition} limit 1`.execute(database.read);
  return rows.length > 0;
}

async function deleteSome(database: Database, { table, key, condition }: OldRows): Promise<number> {
  const names = sql.join(key.map((name) => sql.ref(name)));
  const deleted = await database.transaction((transaction) =>
    sql`
      delete from ${sql.table(table)}
      where (${names}) in (select ${names} from ${sql.table(table)} where ${condition} limit ${rowsPerStep})
    `.execute(transaction),
  );
  return Number(deleted.numAffectedRows ?? 0n);
}

/** The first tenant after another that has observations. */
async function nextTenant(database: Database, after: string): Promise<string | undefined> {
  const tables = ['observation_records', 'observation_counters', 'observation_drops'] as const;
  const found = await Promise.all(
    tables.map((table) =>
      database.read
        .selectFrom(table)
        .select('tenant_id')
        .where('tenant_id', '>', after)
        .orderBy('tenant_id')
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  return found
    .flatMap((row) => (row ? [row.tenant_id] : []))
    .toSorted((left, right) => (left < right ? -1 : 1))
    .at(0);
}
