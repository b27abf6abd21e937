/** JSON as text: one representation on both databases, byte for byte what was written. */
export type JsonText = string;
/** Milliseconds since 1970-01-01 UTC. */
export type EpochMs = number;
