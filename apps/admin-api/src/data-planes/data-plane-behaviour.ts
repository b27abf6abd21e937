import * as v from 'valibot';
import type { StoredRecord } from '../store/resource-store.ts';
import { gatewayRevision } from './gateway-revision.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { toTimestamp } from '../resources/record-view.ts';
import type { Values } from '../resources/values.ts';
import type { ResourceStates } from '../store/resource-states.ts';
import { mintToken } from '../identity/opaque-token.ts';
import { connectionStatus, dataPlaneState, syncStatus } from './data-plane-state.ts';
import type { DataPlaneState } from './data-plane-state.ts';

/** What the behaviour of data planes works with. */
export interface DataPlaneBehaviourParts {
  readonly states: ResourceStates;
  readonly nowMs: () => number;
  readonly releaseVersion: string;
}

/** Data planes get a token at creation, shown once, and show what their heartbeats say. Source: wire contract, Data planes. */
export function createDataPlaneBehaviour(parts: DataPlaneBehaviourParts): FamilyBehaviour {
  return {
    async prepare({ values, stored }) {
      if (stored) {
        const { token_id: tokenId, secret_hash: secretHash } = stored.body;
        return { ok: true, body: { ...values, token_id: tokenId, secret_hash: secretHash } };
      }
      const minted = mintToken('gwdp');
      const body = { ...values, token_id: minted.id, secret_hash: minted.secretHash };
      return { ok: true, body, reveal: { token: minted.token } };
    },
    async liveFields(executor, tenantId, records) {
      const ids = records.map((record) => record.id);
      const states = await parts.states.getMany(executor, tenantId, 'data-planes', ids);
      const revisions = new Map<unknown, number>();
      for (const gatewayId of new Set(records.map((record) => record.body['gateway_id']))) {
        revisions.set(gatewayId, await gatewayRevision(executor, tenantId, String(gatewayId)));
      }
      const show = (record: StoredRecord): Values => {
        const revision = revisions.get(record.body['gateway_id']) ?? 0;
        return shown(states.get(record.id), { revision, releaseVersion: parts.releaseVersion }, parts.nowMs());
      };
      return new Map(records.map((record) => [record.id, show(record)]));
    },
  };
}

function shown(
  stored: unknown,
  target: { readonly revision: number; readonly releaseVersion: string },
  nowMs: number,
): Values {
  const state: DataPlaneState = stored === undefined ? {} : v.parse(dataPlaneState, stored);
  const { last_seen_ms: lastSeenMs, last_applied_ms: lastAppliedMs, rejected_revision: _, skew: __, ...plain } = state;
  return {
    ...plain,
    status: connectionStatus(state, nowMs),
    sync_status: syncStatus(state, target),
    target_revision: target.revision,
    ...(lastSeenMs !== undefined && { last_seen: toTimestamp(lastSeenMs) }),
    ...(lastAppliedMs !== undefined && { last_applied_at: toTimestamp(lastAppliedMs) }),
  };
}
