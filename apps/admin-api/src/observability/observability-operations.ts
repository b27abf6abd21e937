import type { Operation } from '../http/operation.ts';
import { anomalyOperation } from './anomaly-operation.ts';
import { liveOperation } from './live-operation.ts';
import type { ObservabilityOperationParts } from './observability-parts.ts';
import { requestOperations } from './request-operations.ts';
import { retentionOperations } from './retention-operations.ts';
import { summaryOperation } from './summary-operation.ts';

/** What the traffic did. Source: wire contract, Observability. */
export function observabilityOperations(parts: ObservabilityOperationParts): Operation[] {
  return [
    summaryOperation(parts),
    ...requestOperations(parts),
    liveOperation(parts),
    anomalyOperation(parts),
    ...retentionOperations(parts),
  ];
}
