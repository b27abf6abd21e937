import * as v from 'valibot';
import type { AuditRow } from '../../database/audit-tables.ts';
import type { Operation, OperationInput, OperationOutput } from '../../http/operation.ts';
import { Problem } from '../../http/problem.ts';
import { actorOf } from '../../resources/actor.ts';
import { inWriteSession, type WriteSession } from '../../resources/write-session.ts';
import type { AuditOperationParts } from './audit-parts.ts';
import { auditRecordSchema, auditView, type RedactableField, redactableFields } from './audit-view.ts';

/** Records of earlier versions have their values in the hashed text itself. */
const redactableVersion = 2;

/** Records whose `metadata` verifiers ask for: without it what they tell of was done by nobody. */
const actsOnTheLog: ReadonlySet<string> = new Set(['redact', 'prune', 'rotate']);

const bodySchema = v.pipe(
  v.strictObject({
    fields: v.pipe(
      v.array(v.picklist(redactableFields, `must be one of ${redactableFields.join(', ')}`)),
      v.minLength(1, 'must name at least 1 field'),
      v.maxLength(redactableFields.length, `must name at most ${redactableFields.length} fields`),
    ),
    reason: v.optional(v.pipe(v.string(), v.maxLength(500, 'must be at most 500 characters'))),
  }),
  v.title('AuditRedaction'),
);

/**
 * Erases values of a record for good. What is hashed are commitments to them, so the chains stay whole, and everybody sees
 * that something was erased, by whom and why: that is a record of its own. Source: reliability, Per-field commitments.
 */
export function redactOperation(parts: AuditOperationParts): Operation {
  return {
    id: 'redactAudit',
    method: 'POST',
    paths: ['/admin/audits/{audit_id}/redact'],
    tag: 'audits',
    summary:
      'Erases values of a record for good, such as personal data; the log stays whole and says that they were erased',
    access: 'super_admin',
    body: { schema: bodySchema },
    responses: [
      { status: 200, description: 'The record as it is now', schema: auditRecordSchema },
      {
        status: 409,
        description:
          'The record was written by a release whose records hold their values in the hashed text; or its metadata says what was done to the log',
      },
    ],
    handler: (input) => redact(parts, input),
  };
}

async function redact(parts: AuditOperationParts, input: OperationInput): Promise<OperationOutput> {
  const id = input.path['audit_id'] ?? '';
  const body = input.body as v.InferOutput<typeof bodySchema>;
  await parts.trail.drain();
  const found = await find(parts.database.read, id);
  const actor = actorOf(input.principal, input.request);
  const { result } = await inWriteSession(parts, found.tenant_id, actor, async (session) => {
    const row = await find(session.transaction, id);
    if (row.schema_version < redactableVersion) {
      throw new Problem('invalid_state', 'Records of schema version 1 hold their values in the hashed text');
    }
    if (row.global_sequence === null) {
      throw new Problem('unavailable', 'The record has no place in the chains yet', {
        headers: { 'retry-after': '1' },
      });
    }
    if (actsOnTheLog.has(row.action) && body.fields.includes('metadata')) {
      throw new Problem(
        'invalid_state',
        `The metadata of a record of action ${row.action} says what was done to the log`,
      );
    }
    return erase(session, row, new Set(body.fields), body.reason);
  });
  return { status: 200, body: auditView(result) };
}

async function find(executor: AuditOperationParts['database']['read'], id: string): Promise<AuditRow> {
  const row = await executor.selectFrom('audit_records').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new Problem('not_found', 'No such record');
  return row;
}

async function erase(
  session: WriteSession,
  row: AuditRow,
  fields: ReadonlySet<RedactableField>,
  reason: string | undefined,
): Promise<AuditRow> {
  const disclosures = JSON.parse(row.disclosures ?? '{}') as Record<string, unknown>;
  const erased = [...fields].filter((field) => (disclosures[field] ?? null) !== null);
  if (erased.length === 0) return row;
  for (const field of erased) disclosures[field] = null;
  const changes = {
    disclosures: JSON.stringify(disclosures),
    ...(erased.includes('source_ip') && { source_ip: '' }),
    ...(erased.includes('actor_username') && { actor_username: '' }),
  };
  await session.transaction.updateTable('audit_records').set(changes).where('id', '=', row.id).execute();
  session.noteAct({
    action: 'redact',
    entityType: 'audit_record',
    entityId: row.id,
    metadata: { fields: erased, ...(reason !== undefined && { reason }) },
  });
  return { ...row, ...changes };
}
