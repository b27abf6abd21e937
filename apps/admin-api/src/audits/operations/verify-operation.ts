import * as v from 'valibot';
import type { Operation } from '../../http/operation.ts';
import { Problem } from '../../http/problem.ts';
import { type AuditOperationParts, askedLog } from './audit-parts.ts';
import { logParameter } from './log-parameter.ts';
import { verifyLog } from './verify-log.ts';

/** Verifications at once, of all callers: each takes a processor as far as others leave it one. */
const runningMax = 2;
/** Callers that wait for their turn. More are asked to come back. */
const waitingMax = 64;

const bodySchema = v.pipe(
  v.strictObject({ tenant_id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(128))) }),
  v.title('AuditVerification'),
);
const resultSchema = v.pipe(
  v.object({
    valid: v.boolean(),
    checked: v.number(),
    /** Values that were erased, each with a record of who did it. */
    redacted: v.number(),
    /** The last sequence that retention deleted; 0 for none. */
    pruned_through: v.number(),
    first_invalid: v.optional(
      v.object({ sequence: v.number(), id: v.nullable(v.string()), kind: v.string(), detail: v.string() }),
    ),
    head: v.object({ sequence: v.number(), hash: v.string() }),
  }),
  v.title('AuditVerdict'),
);

/** Verifies the stored log. Source: wire contract, Audits. */
export function verifyOperation(parts: AuditOperationParts): Operation {
  const turns = createTurns(runningMax, waitingMax);
  return {
    id: 'verifyAudits',
    method: 'POST',
    paths: ['/admin/audits/verify'],
    tag: 'audits',
    summary:
      'Whether the stored log is whole and, if not, where it first is not and how. A million records take a minute',
    access: 'session',
    query: [logParameter],
    body: { schema: bodySchema, optional: true },
    responses: [{ status: 200, description: 'What was found', schema: resultSchema }],
    async handler(input) {
      const log = await askedLog(parts, input);
      const { signal } = input.request;
      return turns.take(async () => {
        const drain = (): Promise<void> => parts.trail.drain();
        const options = { executor: parts.database.read, log, logName: parts.trail.signer.name, drain, signal };
        return { status: 200, body: await verifyLog(options) };
      });
    },
  };
}

/** Lets so many run at once and so many wait, in the order in which they came. */
function createTurns(atOnce: number, inLine: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async take<Result>(work: () => Promise<Result>): Promise<Result> {
      if (waiting.length >= inLine) {
        throw new Problem('unavailable', 'Other verifications are running', { headers: { 'retry-after': '10' } });
      }
      if (running >= atOnce) await new Promise<void>((go) => waiting.push(go));
      else running += 1;
      try {
        return await work();
      } finally {
        // Whoever waits takes over the turn itself.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
