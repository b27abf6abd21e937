import * as v from 'valibot';
import { InconsistentLogError } from '../checkpoints/inconsistent-log.ts';
import { auditKeysOf } from '../checkpoints/audit-signer.ts';
import { originOf } from '../checkpoints/origin.ts';
import type { Operation } from '../../http/operation.ts';
import { Problem } from '../../http/problem.ts';
import { type AuditOperationParts, askedLog } from './audit-parts.ts';
import { logParameter } from './log-parameter.ts';

const schema = v.pipe(
  v.object({
    tenant_id: v.nullable(v.string()),
    origin: v.string(),
    size: v.number(),
    root: v.string(),
    note: v.string(),
    created_at: v.pipe(v.string(), v.isoTimestamp()),
    verifier_key: v.string(),
    keys: v.array(
      v.object({
        verifier_key: v.string(),
        since: v.pipe(v.string(), v.isoTimestamp()),
        signed_change: v.nullable(v.string()),
      }),
    ),
  }),
  v.title('AuditCheckpoint'),
);

/** The signed head of a log, and the keys to check it with. */
export function checkpointOperation(parts: AuditOperationParts): Operation {
  return {
    id: 'getAuditCheckpoint',
    method: 'GET',
    paths: ['/admin/audits/checkpoint'],
    tag: 'audits',
    summary:
      'The signed head of the log as it stands: a C2SP signed note over its size and Merkle root, and the public keys, newest first',
    access: 'session',
    query: [logParameter],
    responses: [
      { status: 200, description: 'The checkpoint', schema },
      { status: 404, description: 'The log has no records yet' },
      { status: 409, description: 'The log does not continue what was signed before; it was rewritten' },
    ],
    async handler(input) {
      const { tenantId, chain } = await askedLog(parts, input);
      await parts.trail.drain();
      const checkpoint = await parts.trail.checkpointer.upToDate(chain).catch(refuseInconsistent);
      if (checkpoint === undefined) throw new Problem('not_found', 'The log has no records yet');
      const keys = await auditKeysOf(parts.database.read);
      const { signer } = parts.trail;
      return {
        status: 200,
        body: {
          tenant_id: tenantId ?? null,
          origin: originOf(signer.name, tenantId),
          size: checkpoint.size,
          root: checkpoint.root,
          note: checkpoint.note,
          created_at: new Date(checkpoint.created_at).toISOString(),
          verifier_key: signer.verifierKey,
          keys: keys.map(({ verifier_key, since, signed_change }) => ({
            verifier_key,
            since: new Date(since).toISOString(),
            signed_change,
          })),
        },
      };
    },
  };
}

function refuseInconsistent(error: unknown): never {
  if (!(error instanceof InconsistentLogError)) throw error;
  throw new Problem('invalid_state', `${error.message}; POST /audits/verify says where`);
}
