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
});

/** See {@link dataPlaneState}. */
export type DataPlaneState = v.InferOutput<typeof dataPlaneState>;

/** Whether the node was heard of lately. */
export function connectionStatus(state: DataPlaneState, nowMs: number): 'online' | 'stale' | 'offline' {
  const silenceMs = state.last_seen_ms === undefined ? Infinity : nowMs - state.last_seen_ms;
  if (silenceMs >= dataPlaneSilenceMs.offline) return 'offline';
  return silenceMs >= dataPlaneSilenceMs.stale ? 'stale' : 'online';
}

/**
 * How the node's configuration stands to the tenant's. A node need not take every revision: one that serves the present
 * content is normal.
 */
export function syncStatus(
  state: DataPlaneState,
  target: { readonly revision: number; readonly releaseVersion: string },
): 'unknown' | 'normal' | 'applying' | 'rejected' | 'version_incompatible' {
  if (state.last_seen_ms === undefined) return 'unknown';
  if (state.version !== undefined && majorOf(state.version) !== majorOf(target.releaseVersion))
    return 'version_incompatible';
  if (state.rejected_revision !== undefined && state.rejected_revision > (state.config_revision ?? -1))
    return 'rejected';
  return (state.config_revision ?? -1) >= target.revision ? 'normal' : 'applying';
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? '';
}
