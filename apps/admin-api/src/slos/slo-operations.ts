import type { Operation } from '../http/operation.ts';
import { acknowledgeOperation } from './acknowledge-operation.ts';
import { evaluateAllOperation, evaluateOneOperation } from './evaluate-operations.ts';
import { exportOperations } from './export-operations.ts';
import type { SloOperationParts } from './slo-parts.ts';
import { timelineOperation } from './timeline-operation.ts';

/** What can be done with objectives beside what every family offers. Source: spec, SLO endpoints. */
export function sloOperations(parts: SloOperationParts): Operation[] {
  return [
    evaluateAllOperation(parts),
    evaluateOneOperation(parts),
    acknowledgeOperation(parts),
    timelineOperation(parts),
    ...exportOperations(parts),
  ];
}
