import * as v from 'valibot';
import { CallerPlaces } from '../../http/caller-places.ts';
import type { Operation, OperationInput } from '../../http/operation.ts';
import { Problem } from '../../http/problem.ts';
import { type AuditOperationParts, askedLog } from './audit-parts.ts';
import { logParameter } from './log-parameter.ts';
import { type LogVerdict, verifyLog } from './verify-log.ts';

/** Verifications of tenants at once, one of a tenant: each takes a processor as far as others leave it one. */
const places = { runningMax: 2, waitingMax: 64, waitingPerCallerMax: 4 };
/** Of super administrators beside them, one of each. */
const superRunningMax = 2;

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
  const inTurn = createTurns();
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
    responses: [
      { status: 200, description: 'What was found', schema: resultSchema },
      { status: 429, description: 'Enough of the tenant, or of the super administrator, are running or wait' },
    ],
    async handler(input) {
      const log = await askedLog(parts, input);
      const { signal } = input.request;
      return inTurn(input, async () => {
        const drain = (): Promise<void> => parts.trail.drain();
        const options = { executor: parts.database.read, log, logName: parts.trail.signer.name, drain, signal };
        return { status: 200, body: await heldToSigned(parts, await verifyLog(options), log.chain) };
      });
    },
  };
}

/**
 * Holds a log that is whole in itself also to what this process signed and to what was anchored: what is not signed because
 * it does not continue that is not valid.
 */
async function heldToSigned({ trail }: AuditOperationParts, verdict: LogVerdict, chain: string): Promise<LogVerdict> {
  if (!verdict.valid) return verdict;
  const refusal = await trail.checkpointer.refusalOf(chain);
  if (refusal === undefined) return verdict;
  // Of a log that was rewritten nothing can be trusted, up to its first record.
  const sequence = refusal.kind === 'tail_deleted' ? verdict.head.sequence + 1 : verdict.pruned_through + 1;
  return {
    ...verdict,
    valid: false,
    first_invalid: { sequence, id: null, kind: refusal.kind, detail: refusal.message },
  };
}

/**
 * Turns for verifications: super administrators and all others do not wait for each other, and of a tenant, or of one super
 * administrator, one runs at a time and few wait.
 */
function createTurns() {
  const ofSupers = new CallerPlaces({ ...places, runningMax: superRunningMax, refusal: tooMany });
  const ofTenants = new CallerPlaces({ ...places, refusal: tooMany });
  return async <Result>({ principal, request }: OperationInput, work: () => Promise<Result>): Promise<Result> => {
    if (principal.kind !== 'user') throw new Problem('unauthenticated', 'A signed-in user is asked for');
    if (principal.role === 'super_admin') return ofSupers.run(principal.id, work, request.signal);
    return ofTenants.run(principal.tenantId ?? principal.id, work, request.signal);
  };
}

function tooMany(which: 'of_caller' | 'in_all'): Problem {
  const headers = { 'retry-after': '10' };
  return which === 'of_caller'
    ? new Problem('rate_limited', 'Verifications of yours or of your tenant are running or wait', { headers })
    : new Problem('unavailable', 'Other verifications are running', { headers });
}
