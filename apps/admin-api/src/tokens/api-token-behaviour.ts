import type { Executor } from '../database/database.ts';
import { unauthenticated } from '../http/access.ts';
import type { FieldProblem } from '../http/problem.ts';
import { mintToken } from '../identity/opaque-token.ts';
import { identityFamilies } from '../identity/user-directory.ts';
import type { FamilyBehaviour, PrepareInput } from '../resources/family-behaviour.ts';
import { toTimestamp } from '../resources/record-view.ts';
import type { Values } from '../resources/values.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { ResourceStates } from '../store/resource-states.ts';

/** Characters of a token's public part that lists show, after its kind. */
const shownIdLength = 6;

/**
 * Admin API tokens are shown once, at creation, and stored hashed. One that is made with a token can do no more than that and
 * ends no later. Source: spec, Authentication; decisions, 23; ADR 0010.
 */
export function createApiTokenBehaviour(store: ResourceStore, states: ResourceStates): FamilyBehaviour {
  return {
    async prepare(input) {
      const maker = await makerOf(store, input);
      const problems = maker ? excessOver(maker, input.values) : [];
      if (problems.length > 0) return { ok: false, problems };
      const minted = mintToken('gwadm');
      const prefix = `gwadm_${minted.id.slice(0, shownIdLength)}`;
      const expiresAt = input.values['expires_at'] ?? maker?.body['expires_at'];
      const bounded = { ...input.values, ...(expiresAt !== undefined && { expires_at: expiresAt }) };
      const body = { ...bounded, prefix, token_id: minted.id, secret_hash: minted.secretHash };
      return { ok: true, body, reveal: { token: minted.token } };
    },
    async liveFields(executor: Executor, tenantId: string, records: readonly StoredRecord[]) {
      const ids = records.map((record) => record.id);
      const known = await states.getMany(executor, tenantId, 'api-tokens', ids);
      return new Map(ids.map((id) => [id, lastUse(known.get(id))]));
    },
  };
}

/**
 * The token that a token is made with, as it stands inside the write: what its caller was let in with may be some seconds old.
 * @throws Problem `unauthenticated` when it is gone, so that no token outlives its revocation by making another
 */
async function makerOf(store: ResourceStore, { executor, principal }: PrepareInput): Promise<StoredRecord | undefined> {
  if (principal.kind !== 'api_token') return undefined;
  const maker = await store.get(executor, principal.tenantId ?? '', identityFamilies.apiTokens, principal.id);
  if (!maker) throw unauthenticated(true);
  return maker;
}

/** What a new token would have beyond the one that it is made with. */
function excessOver({ body: maker }: StoredRecord, values: Values): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const has = Array.isArray(maker['scopes']) ? maker['scopes'] : [];
  const wanted = Array.isArray(values['scopes']) ? values['scopes'] : [];
  for (const [index, scope] of wanted.entries()) {
    if (!has.includes(scope))
      problems.push({ pointer: `/scopes/${index}`, code: 'forbidden', message: 'the token in use does not have it' });
  }
  const isLater = Date.parse(String(values['expires_at'])) > Date.parse(String(maker['expires_at']));
  if (isLater)
    problems.push({ pointer: '/expires_at', code: 'forbidden', message: 'is later than that of the token in use' });
  return problems;
}

/** What the state of a token or credential shows of its last use. */
export function lastUse(state: Values | undefined): Values {
  const usedAtMs = state?.['last_used_at_ms'];
  return typeof usedAtMs === 'number' ? { last_used_at: toTimestamp(usedAtMs) } : {};
}
