import { sql } from 'kysely';
import type { Executor } from '../../database/database.ts';
import { globalChain } from '../operations/chain-port.ts';

/** Chains of tenants that were written to since they were last signed, in the order of their names, from after one on. */
export async function chainsWithNews(executor: Executor, after: string, limit: number): Promise<readonly string[]> {
  const rows = await executor
    .selectFrom('audit_heads as head')
    .select('head.chain')
    .where('head.chain', '<>', globalChain)
    .where('head.chain', '>', after)
    .where((eb) =>
      eb(
        'head.sequence',
        '<>',
        eb.fn.coalesce(
          eb
            .selectFrom('audit_checkpoints as checkpoint')
            .select((inner) => inner.fn.max('checkpoint.size').as('size'))
            .whereRef('checkpoint.chain', '=', 'head.chain'),
          sql<number>`0`,
        ),
      ),
    )
    .orderBy('head.chain')
    .limit(limit)
    .execute();
  return rows.map(({ chain }) => chain);
}
