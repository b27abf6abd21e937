import { latencyThresholdUs, type Objective, type SloDefinition } from '@portcullis/slo-engine';
import { latencyUsMax } from '@portcullis/resources';
import type { StoredRecord } from '../store/resource-store.ts';

/** The family of objectives in the catalogue. */
export const sloFamily = 'slos';

/** An objective as evaluations know it. */
export interface StoredObjective {
  readonly id: string;
  readonly name: string;
  /** Empty for an objective of the whole tenant. */
  readonly gatewayId: string;
  readonly definition: SloDefinition;
  /** Grows with each change. */
  readonly version: number;
  /** What gateways count against; `null` for availability. */
  readonly thresholdUs: number | null;
}

/** Reads a stored record, whose fields the family's schema has checked. */
export function objectiveOf({ id, name, body, revision }: StoredRecord): StoredObjective {
  const definition = body as unknown as SloDefinition;
  return {
    id,
    name: name ?? '',
    gatewayId: typeof body['gateway_id'] === 'string' ? body['gateway_id'] : '',
    definition,
    version: revision,
    thresholdUs: countedThresholdUs(definition.objective),
  };
}

/**
 * The threshold that gateways count against, whole microseconds; `null` for an objective that has none. No counted latency is
 * above a day, so thresholds beyond it are one and the same.
 */
function countedThresholdUs(objective: Objective): number | null {
  return objective.type === 'latency' ? Math.min(latencyThresholdUs(objective), latencyUsMax) : null;
}
