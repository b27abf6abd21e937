import type { Transaction } from 'kysely';
import { chunksOf } from '../database/chunks.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { ResourceStates } from '../store/resource-states.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { identityFamilies } from './user-directory.ts';

/** How often uses of tokens are written down. */
export const lastUseEveryMs = 60_000;

/** How many tokens are noted between two writes; further ones wait for their next use. */
const notedMax = 10_000;

/** Remembers when API tokens were used, off the request path, and writes it to `last_used_at_ms` of their state. */
export interface LastUse {
  note(tenantId: string, tokenRecordId: string): void;
  /**
   * Writes what was noted and not written yet, in small transactions. Call it every {@link lastUseEveryMs}; what cannot be
   * written stays noted for the next time. @throws DatabaseUnavailableError
   */
  flush(): Promise<void>;
}

/** What last uses are written with. */
export interface LastUseParts {
  readonly database: Database;
  readonly store: ResourceStore;
  readonly states: ResourceStates;
  readonly nowMs: () => number;
}

interface Use {
  readonly tenantId: string;
  readonly id: string;
  readonly atMs: number;
}

/** Last uses over the resource states. */
export function createLastUse(parts: LastUseParts): LastUse {
  const noted = new Map<string, Use>();
  return {
    note(tenantId, id) {
      const key = `${tenantId}/${id}`;
      if (noted.size < notedMax || noted.has(key)) noted.set(key, { tenantId, id, atMs: parts.nowMs() });
    },
    async flush() {
      for (const uses of chunksOf([...noted])) {
        await parts.database.transaction(async (transaction) => {
          for (const [, use] of uses) await write(parts, transaction, use);
        });
        for (const [key, use] of uses) {
          // A use since then is another one.
          if (noted.get(key) === use) noted.delete(key);
        }
      }
    },
  };
}

async function write(
  parts: LastUseParts,
  transaction: Transaction<Tables>,
  { tenantId, id, atMs }: Use,
): Promise<void> {
  // The token may be revoked since; its state must not outlive it.
  const record = await parts.store.get(transaction, tenantId, identityFamilies.apiTokens, id);
  if (!record) return;
  const fields = { last_used_at_ms: atMs };
  await parts.states.merge(transaction, tenantId, identityFamilies.apiTokens, id, fields, atMs);
}
