import type { ConfigurationAck } from '@portcullis/resources';
import { reportedCircuit } from '@portcullis/resources';
import * as v from 'valibot';

/** A node is stale, then offline, when it was not heard of for this long. Nodes send a heartbeat every 5 seconds. */
export const dataPlaneSilenceMs = { stale: 15_000, offline: 60_000 } as const;

/** What is known of a node between its records: from heartbeats and acknowledgements. */
export const dataPlaneState = v.object({
  hostname: v.optional(v.string()),
  ip: v.optional(v.string()),
  version: v.optional(v.string()),
  plugin_versions: v.optional(v.record(v.string(), v.string())),
  config_revision: v.optional(v.number()),
  config_hash: v.optional(v.string()),
  last_seen_ms: v.optional(v.number()),
  last_applied_ms: v.optional(v.number()),
  rejected_revision: v.optional(v.number()),
  last_error: v.optional(v.string()),
  /** Plugin instances whose circuit is not closed. */
  circuits: v.optional(v.array(reportedCircuit)),
  /** How node and control plane do not fit, as the node said when it judged its last configuration; empty when they do. */
  skew: v.optional(v.picklist(['', 'version', 'plugin_set'])),
});

/** See {@link dataPlaneState}. */
export type DataPlaneState = v.InferOutput<typeof dataPlaneState>;

/** Whether the node was heard of lately. */
export function connectionStatus(state: DataPlaneState, nowMs: number): 'online' | 'stale' | 'offline' {
  const silenceMs = state.last_seen_ms === undefined ? Infinity : nowMs - state.last_seen_ms;
  if (silenceMs >= dataPlaneSilenceMs.offline) return 'offline';
  return silenceMs >= dataPlaneSilenceMs.stale ? 'stale' : 'online';
}

/** How a node's configuration stands to the tenant's. Source: wire contract, Data planes. */
export type SyncStatus =
  | 'unknown'
  | 'normal'
  | 'applying'
  | 'rejected'
  | 'version_incompatible'
  | 'plugin_set_incompatible';

/**
 * How the node's configuration stands to the tenant's. A node need not take every revision: one that serves the present
 * content is normal. A skew is said before all else, since no change of the configuration mends it: another major version, a
 * form of configurations that the node does not know, or a plugin that is not installed there.
 */
export function syncStatus(
  state: DataPlaneState,
  target: { readonly revision: number; readonly releaseVersion: string },
): SyncStatus {
  if (state.last_seen_ms === undefined) return 'unknown';
  const hasOtherMajor = state.version !== undefined && majorOf(state.version) !== majorOf(target.releaseVersion);
  if (hasOtherMajor || state.skew === 'version') return 'version_incompatible';
  if (state.rejected_revision !== undefined && state.rejected_revision > (state.config_revision ?? -1))
    return 'rejected';
  if ((state.config_revision ?? -1) < target.revision) return 'applying';
  return state.skew === 'plugin_set' ? 'plugin_set_incompatible' : 'normal';
}

/** What an acknowledgement says of a skew. */
export function skewOf({ errors }: ConfigurationAck): NonNullable<DataPlaneState['skew']> {
  if (errors.some(({ code }) => code === 'format_unknown')) return 'version';
  return errors.some(({ code }) => code === 'plugin_missing') ? 'plugin_set' : '';
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? '';
}
