import type { SloDefinition } from '../objective.ts';

/** An SLO that rules and dashboards name. */
export interface AlertedSlo extends SloDefinition {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
}
