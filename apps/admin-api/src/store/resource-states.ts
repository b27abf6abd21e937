import type { Executor } from '../database/database.ts';

/**
 * What changes by itself beside a record: a node's heartbeat, a token's last use. No revision, no audit record.
 * The last writer wins.
 */
export interface ResourceStates {
  getMany(
    executor: Executor,
    tenantId: string,
    family: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>>;
  /** Merges fields into a record's state, in one statement or transaction; `undefined` fields are left alone. */
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
      const before = (await this.getMany(executor, tenantId, family, [id])).get(id) ?? {};
      const state = JSON.stringify({ ...before, ...fields });
      await executor
        .insertInto('resource_states')
        .values({ tenant_id: tenantId, family, id, state, updated_at: nowMs })
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'family', 'id']).doUpdateSet({ state, updated_at: nowMs }),
        )
        .execute();
    },
  };
}
