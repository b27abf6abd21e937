import * as v from 'valibot';
import type { Operation } from '../../http/operation.ts';
import { Problem } from '../../http/problem.ts';
import { type AuditOperationParts, askedLog } from './audit-parts.ts';
import { logParameter } from './log-parameter.ts';
import { verifyLog } from './verify-log.ts';

/** Verifications at once, of all callers: each takes a processor as far as others leave it one. */
const runningMax = 2;

const bodySchema = v.pipe(
  v.strictObject({ tenant_id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(128))) }),
  v.title('AuditVerification'),
);
const resultSchema = v.pipe(
  v.object({
    valid: v.boolean(),
    checked: v.number(),
    first_invalid: v.optional(
      v.object({ sequence: v.number(), id: v.nullable(v.string()), kind: v.string(), detail: v.string() }),
    ),
    head: v.object({ sequence: v.number(), hash: v.string() }),
  }),
  v.title('AuditVerdict'),
);

/** Verifies the stored log. Source: wire contract, Audits. */
export function verifyOperation(parts: AuditOperationParts): Operation {
  let running = 0;
  return {
    id: 'verifyAudits',
    method: 'POST',
    paths: ['/admin/audits/verify'],
    tag: 'audits',
    summary: 'Whether the stored log is whole and, if not, where it first is not and how. A million records take a minute',
    access: 'session',
    query: [logParameter],
    body: { schema: bodySchema, optional: true },
    responses: [{ status: 200, description: 'What was found', schema: resultSchema }],
    async handler(input) {
      const log = await askedLog(parts, input);
      if (running >= runningMax) {
        throw new Problem('unavailable', 'Other verifications are running', { headers: { 'retry-after': '10' } });
      }
      running += 1;
      try {
        await parts.trail.drain();
        const { signal } = input.request;
        const options = { executor: parts.database.read, log, logName: parts.trail.signer.name, signal };
        return { status: 200, body: await verifyLog(options) };
      } finally {
        running -= 1;
      }
    },
  };
}
