import type { AuditCheckpointRow } from '../../../database/audit-tables.ts';
import type { Log } from '../../../logging.ts';
import type { AnchorSettings } from '../anchor-setting.ts';
import type { Anchor } from './anchor.ts';
import { type AnchorCounts, createAnchorQueue } from './anchor-queue.ts';
import { fileAnchor } from './adapters/file-anchor.ts';
import { httpAnchor } from './adapters/http-anchor.ts';
import { logAnchor } from './log-anchor.ts';

/** All anchors of a service. */
export interface Anchors {
  add(checkpoint: AuditCheckpointRow): void;
  /** Tries what waits. */
  flush(): Promise<void>;
  counts(): readonly AnchorCounts[];
}

/** The anchors that the settings name. */
export function createAnchors(
  settings: AnchorSettings,
  parts: { readonly log: Pick<Log, 'info' | 'warn'>; readonly monotonicMs: () => number },
): Anchors {
  const anchors: readonly Anchor[] = [
    ...settings.files.map(fileAnchor),
    ...settings.urls.map((url) => httpAnchor(url)),
    ...(settings.isLogged ? [logAnchor(parts.log)] : []),
  ];
  const queues = anchors.map((anchor) => createAnchorQueue(anchor, parts));
  return {
    add: (checkpoint) => queues.forEach((queue) => queue.add(checkpoint)),
    flush: async () => void (await Promise.all(queues.map((queue) => queue.flush()))),
    counts: () => queues.map((queue) => queue.counts()),
  };
}
