import { sql } from 'kysely';
import type { Executor } from '../database/database.ts';
import { traitsOf } from '../database/dialect-traits.ts';
import { storableJson } from '../database/storable-text.ts';

/**
 * What changes by itself beside a record: a node's heartbeat, a token's last use. No revision, no audit record.
 * Of one field the last writer wins.
 */
export interface ResourceStates {
  getMany(
    executor: Executor,
    tenantId: string,
    family: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>>;
  /**
   * Puts fields into a record's state, beside those that are there, in one statement: two that write other fields at the
   * same time both count. `undefined` fields are left alone. @throws UnstorableTextError
   */
  merge(
    executor: Executor,
    tenantId: string,
    family: string,
    id: string,
    fields: Readonly<Record<string, unknown>>,
    nowMs: number,
  ): Promise<void>;
}

/** Makes the store of states. */
export function createResourceStates(): ResourceStates {
  return {
    async getMany(executor, tenantId, family, ids) {
      if (ids.length === 0) return new Map();
      const rows = await executor
        .selectFrom('resource_states')
        .select(['id', 'state'])
        .where('tenant_id', '=', tenantId)
        .where('family', '=', family)
        .where('id', 'in', ids)
        .execute();
      return new Map(rows.map((row) => [row.id, JSON.parse(row.state) as Record<string, unknown>]));
    },
    async merge(executor, tenantId, family, id, fields, nowMs) {
      const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      if (Object.keys(given).length === 0) return;
      const state = storableJson(JSON.stringify(given));
      const { withFields } = traitsOf(executor);
      await executor
        .insertInto('resource_states')
        .values({ tenant_id: tenantId, family, id, state, updated_at: nowMs })
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'family', 'id']).doUpdateSet({
            state: withFields(sql.ref('resource_states.state'), given),
            updated_at: nowMs,
          }),
        )
        .execute();
    },
  };
}
