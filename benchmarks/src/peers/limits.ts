/** A load generator, or whatever else ends by itself, that runs longer than this hangs, and is killed. */
export const processLimitMs: number = 10 * 60_000;

/** A peer or an upstream runs for as long as its scenario: a million requests take longer than one load may on a busy machine. */
export const serverLimitMs: number = 12 * processLimitMs;

/** How long a peer may take from its start to its first answer. */
export const readyLimitMs = 60_000;
