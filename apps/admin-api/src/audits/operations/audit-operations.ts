import type { Operation } from '../../http/operation.ts';
import { retentionOperations } from '../retention/retention-operations.ts';
import type { AuditOperationParts } from './audit-parts.ts';
import { checkpointOperation } from './checkpoint-operation.ts';
import { exportOperation } from './export-operation.ts';
import { listOperation } from './list-operation.ts';
import { proofOperations } from './proof-operations.ts';
import { redactOperation } from './redact-operation.ts';
import { verifyOperation } from './verify-operation.ts';

/** Everything that users do with the audit log. Nothing here writes records about acts: they come with the acts. */
export function auditOperations(parts: AuditOperationParts): Operation[] {
  return [
    listOperation(parts),
    verifyOperation(parts),
    checkpointOperation(parts),
    ...proofOperations(parts),
    exportOperation(parts),
    redactOperation(parts),
    ...retentionOperations(parts),
  ];
}
