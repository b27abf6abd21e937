/** An AI gateway record of the tenant, as plugins see it: enabled, its config as the control plane keeps it. Source: spec, AI gateway records. */
export interface AiRecord {
  readonly id: string;
  readonly kind: 'model_route' | 'policy' | 'cache';
  readonly name: string;
  /** Checked by the control plane; read it with a schema all the same, since a newer one may send more. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** The records of hosts that have none. */
export const noAiRecords: readonly AiRecord[] = Object.freeze([]);
