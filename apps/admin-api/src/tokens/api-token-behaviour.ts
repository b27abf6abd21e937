import type { Executor } from '../database/database.ts';
import { mintToken } from '../identity/opaque-token.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { toTimestamp } from '../resources/record-view.ts';
import type { Values } from '../resources/values.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import type { ResourceStates } from '../store/resource-states.ts';

/** Characters of a token's public part that lists show, after its kind. */
const shownIdLength = 6;

/** Admin API tokens are shown once, at creation, and stored hashed. Source: spec, Authentication; decisions, 23. */
export function createApiTokenBehaviour(states: ResourceStates): FamilyBehaviour {
  return {
    async prepare({ values }) {
      const minted = mintToken('gwadm');
      const prefix = `gwadm_${minted.id.slice(0, shownIdLength)}`;
      const body = { ...values, prefix, token_id: minted.id, secret_hash: minted.secretHash };
      return { ok: true, body, reveal: { token: minted.token } };
    },
    async liveFields(executor: Executor, tenantId: string, records: readonly StoredRecord[]) {
      const ids = records.map((record) => record.id);
      const known = await states.getMany(executor, tenantId, 'api-tokens', ids);
      return new Map(ids.map((id) => [id, lastUse(known.get(id))]));
    },
  };
}

/** What the state of a token or credential shows of its last use. */
export function lastUse(state: Values | undefined): Values {
  const usedAtMs = state?.['last_used_at_ms'];
  return typeof usedAtMs === 'number' ? { last_used_at: toTimestamp(usedAtMs) } : {};
}
