/** A peer, an upstream or a load generator that runs longer than this hangs, and is killed. */
export const processLimitMs: number = 10 * 60_000;

/** How long a peer may take from its start to its first answer. */
export const readyLimitMs = 60_000;
