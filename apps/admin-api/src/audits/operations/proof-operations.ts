import { consistencyProof, inclusionProof, leafHash } from '@portcullis/audit-chain';
import * as v from 'valibot';
import { createTreeReader, PrunedTreeError } from '../checkpoints/tree-reader.ts';
import type { Operation, OperationInput } from '../../http/operation.ts';
import { Problem } from '../../http/problem.ts';
import { type AskedLog, type AuditOperationParts, askedLog, beyondTheLog } from './audit-parts.ts';
import { headOf } from './chain-port.ts';
import { logParameter } from './log-parameter.ts';
import { sequenceParameter } from './sequence-parameter.ts';

const hashes = v.array(v.string());
const tenant = v.nullable(v.string());
const inclusionSchema = v.pipe(
  v.object({
    tenant_id: tenant,
    seq: v.number(),
    size: v.number(),
    audit_hash: v.string(),
    leaf_hash: v.string(),
    hashes,
  }),
  v.title('AuditInclusionProof'),
);
const consistencySchema = v.pipe(
  v.object({ tenant_id: tenant, from: v.number(), to: v.number(), hashes }),
  v.title('AuditConsistencyProof'),
);
const gone = { status: 409, description: 'Retention deleted the records that the proof would need' } as const;

/** Merkle proofs (RFC 6962) over a log's tree, whose leaves are the records' `audit_hash`. */
export function proofOperations(parts: AuditOperationParts): Operation[] {
  return [inclusionOperation(parts), consistencyOperation(parts)];
}

function inclusionOperation(parts: AuditOperationParts): Operation {
  return {
    id: 'getAuditInclusionProof',
    method: 'GET',
    paths: ['/admin/audits/proof/inclusion'],
    tag: 'audits',
    summary: 'Shows that a record is in the log whose checkpoint has this size',
    access: 'session',
    query: [
      logParameter,
      sequenceParameter(
        'seq',
        "The record's `tenant_sequence`, or `global_sequence` in the log over all. Default: `size`.",
        1,
      ),
      sequenceParameter('size', 'Of the checkpoint. Default: the log as it is.', 1),
    ],
    responses: [{ status: 200, description: 'The proof', schema: inclusionSchema }, gone],
    async handler(input) {
      const { log, size: head } = await openedLog(parts, input);
      const size = numberOr(input.query['size'], head);
      const seq = numberOr(input.query['seq'], size);
      if (size > head) throw beyondTheLog('size', `must be at most ${head}, the size of the log`);
      if (seq > size) throw beyondTheLog('seq', `must be at most ${size}, the size`);
      const auditHash = await auditHashOf(parts, log, seq);
      if (auditHash === undefined) throw new Problem('invalid_state', gone.description);
      const read = createTreeReader(parts.database.read, log.chain);
      const proof = await inclusionProof(seq - 1, size, read).catch(refusePruned);
      const tenantId = log.tenantId ?? null;
      const body = {
        tenant_id: tenantId,
        seq,
        size,
        audit_hash: auditHash,
        leaf_hash: leafHash(auditHash),
        hashes: proof,
      };
      return { status: 200, body };
    },
  };
}

function consistencyOperation(parts: AuditOperationParts): Operation {
  return {
    id: 'getAuditConsistencyProof',
    method: 'GET',
    paths: ['/admin/audits/proof/consistency'],
    tag: 'audits',
    summary: 'Shows that the log of one checkpoint is the beginning of that of another',
    access: 'session',
    query: [
      logParameter,
      sequenceParameter('from', 'Size of the earlier checkpoint. Default: 1.', 1),
      sequenceParameter('to', 'Size of the later one. Default: the log as it is.', 1),
    ],
    responses: [{ status: 200, description: 'The proof', schema: consistencySchema }, gone],
    async handler(input) {
      const { log, size } = await openedLog(parts, input);
      const from = numberOr(input.query['from'], 1);
      const to = numberOr(input.query['to'], size);
      if (to > size) throw beyondTheLog('to', `must be at most ${size}, the size of the log`);
      if (from > to) throw beyondTheLog('from', `must be at most ${to}, the later size`);
      const read = createTreeReader(parts.database.read, log.chain);
      const proof = await consistencyProof(from, to, read).catch(refusePruned);
      return { status: 200, body: { tenant_id: log.tenantId ?? null, from, to, hashes: proof } };
    },
  };
}

async function openedLog(
  parts: AuditOperationParts,
  input: OperationInput,
): Promise<{ readonly log: AskedLog; readonly size: number }> {
  const log = await askedLog(parts, input);
  await parts.trail.drain();
  return { log, size: (await headOf(parts.database.read, log.chain)).sequence };
}

async function auditHashOf({ database }: AuditOperationParts, log: AskedLog, seq: number): Promise<string | undefined> {
  const sequence = log.tenantId === undefined ? ('global_sequence' as const) : ('tenant_sequence' as const);
  const row = await database.read
    .selectFrom('audit_records')
    .select('audit_hash')
    .$if(log.tenantId !== undefined, (query) => query.where('tenant_id', '=', log.tenantId ?? ''))
    .where(sequence, '=', seq)
    .executeTakeFirst();
  return row?.audit_hash ?? undefined;
}

function refusePruned(error: unknown): never {
  if (error instanceof PrunedTreeError) throw new Problem('invalid_state', gone.description);
  throw error;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
