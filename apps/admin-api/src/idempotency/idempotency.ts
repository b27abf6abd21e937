import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Database } from '../database/database.ts';
import type { IdempotencyKeyRow } from '../database/tables.ts';
import type { OperationOutput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import type { Principal } from '../identity/principal.ts';
import type { Log } from '../logging.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { SecretContext } from '../secrets/tenant-secrets.ts';
import { type FingerprintInput, fingerprintOf } from './fingerprint.ts';
import { findKey, insertKey, storeAnswer } from './idempotency-keys.ts';
import { AlreadyCarriedOut, type IdempotentRequest } from './idempotent-request.ts';

/** What idempotency works with. */
export interface IdempotencyParts {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Carries a request out once. */
export interface Idempotency {
  /**
   * Runs `work` with what its write sessions need to take the key.
   * @returns its answer, or, when a request with this key was carried out before, that one's
   * @throws Problem `idempotency_key_reused` for a key of another request, `invalid_state` when the first answer is lost
   */
  once(
    key: string,
    input: FingerprintInput,
    work: (request: IdempotentRequest) => Promise<OperationOutput>,
  ): Promise<OperationOutput>;
}

/** Longest answer that is kept, in characters of JSON, and in characters once packed. A longer one is not repeated. */
const answerLengthMax = 8 * 1024 * 1024;
const packedLengthMax = 1024 * 1024;

/** How long a repetition waits for the first answer, which follows the first write's commit at once. */
const answerWaitMs = 2_000;
const answerPollMs = 25;

/** Stands for an answer that will never be there: it was too long, or no success. */
const notKept = '';

/** Makes it. Everything is in the database, so a restart and other replicas change nothing. Source: wire contract, small rules. */
export function createIdempotency(parts: IdempotencyParts): Idempotency {
  return {
    async once(key, input, work) {
      const call = { key, home: homeOf(input.principal), fingerprint: fingerprintOf(input) };
      const session = openSession(parts, call);
      let output: OperationOutput;
      try {
        output = await work(session.request);
      } catch (error) {
        if (error instanceof AlreadyCarriedOut) return firstAnswer(parts, { ...call, tenantId: error.tenantId });
        throw error;
      }
      const tenantId = session.tenantId();
      if (tenantId !== undefined) await keep(parts, { ...call, tenantId }, output);
      return output;
    },
  };
}

interface Call {
  readonly key: string;
  /** The caller's own tenant; empty for one without. */
  readonly home: string;
  readonly fingerprint: string;
}

interface Place extends Call {
  readonly tenantId: string;
}

function homeOf(principal: Principal): string {
  return principal.kind === 'anonymous' ? '' : (principal.tenantId ?? '');
}

/**
 * The key as it is stored. Records of the system are written by callers of several tenants, who must not meet in one space
 * of keys: there the caller's tenant is part of it. Keys have no spaces, so no two places read the same.
 */
function storedKeyOf({ key, home }: Call, tenantId: string): string {
  return tenantId === '' && home !== '' ? `${home} ${key}` : key;
}

/** The request's view of the table, and the tenant whose key it took or will take. */
function openSession(
  { nowMs }: IdempotencyParts,
  call: Call,
): { readonly request: IdempotentRequest; readonly tenantId: () => string | undefined } {
  const seen = new Set<string>();
  const own = new Set<string>();
  const { fingerprint } = call;
  return {
    tenantId: () => [...own, ...seen][0],
    request: {
      async check(transaction, tenantId) {
        seen.add(tenantId);
        // A request may write several times; what it took itself does not stop it.
        if (own.has(tenantId)) return;
        const key = storedKeyOf(call, tenantId);
        if (await findKey(transaction, { tenantId, key }, nowMs())) throw new AlreadyCarriedOut(tenantId);
      },
      async claim(transaction, tenantId) {
        if (own.has(tenantId)) return;
        const key = storedKeyOf(call, tenantId);
        await insertKey(transaction, { tenant_id: tenantId, key, fingerprint, answer: null, created_at: nowMs() });
      },
      committed: (tenantId) => void own.add(tenantId),
    },
  };
}

/** Keeps an answer, sealed: it may show a token that is shown once. A failure costs the repetition, not the answer. */
async function keep(parts: IdempotencyParts, place: Place, output: OperationOutput): Promise<void> {
  const { database, secrets, nowMs, log } = parts;
  const { tenantId, fingerprint } = place;
  const key = storedKeyOf(place, tenantId);
  try {
    const { status, headers, body, packed: documents } = output;
    const isKept = status >= 200 && status < 300 && output.stream === undefined;
    const text = isKept ? JSON.stringify({ status, headers, body, packed: documents }) : '';
    const packed = text.length <= answerLengthMax ? await pack(text) : '';
    const isFit = isKept && packed !== '' && packed.length <= packedLengthMax;
    const answer = isFit ? await secrets.seal(tenantId, contextOf(key), packed) : notKept;
    const row: IdempotencyKeyRow = { tenant_id: tenantId, key, fingerprint, answer, created_at: nowMs() };
    await database.transaction((transaction) => storeAnswer(transaction, row));
  } catch (error) {
    log.warn({ err: error, tenant_id: tenantId }, 'an answer could not be kept for repetitions');
  }
}

/** What the first request with this key was answered. @throws Problem when it was another request, or its answer is lost */
async function firstAnswer(parts: IdempotencyParts, place: Place): Promise<OperationOutput> {
  const { database, secrets, nowMs } = parts;
  const waitUntilMs = nowMs() + answerWaitMs;
  const { tenantId } = place;
  const key = storedKeyOf(place, tenantId);
  let row = await findKey(database.read, { tenantId, key }, nowMs());
  while (row?.fingerprint === place.fingerprint && row.answer === null) {
    // Long ago committed and still without an answer: whoever wrote is gone.
    if (nowMs() >= waitUntilMs || row.created_at + answerWaitMs < nowMs()) break;
    await delay(answerPollMs);
    row = await findKey(database.read, { tenantId, key }, nowMs());
  }
  if (row && row.fingerprint !== place.fingerprint) {
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used for another request');
  }
  if (!row || row.answer === null || row.answer === notKept) throw lost();
  const text = await unpack(await secrets.open(tenantId, contextOf(key), row.answer));
  const first = JSON.parse(text) as Omit<OperationOutput, 'stream'>;
  return { ...first, headers: { ...first.headers, 'idempotency-replayed': 'true' } };
}

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

/** The answer to a large bundle is long and says the same over and over. */
async function pack(text: string): Promise<string> {
  return (await gzipAsync(text)).toString('base64');
}

async function unpack(packed: string): Promise<string> {
  return (await gunzipAsync(Buffer.from(packed, 'base64'))).toString('utf8');
}

function lost(): Problem {
  return new Problem(
    'invalid_state',
    'The request with this Idempotency-Key was carried out, but its answer is not kept; read the live state',
  );
}

/** What the answer kept under a key is sealed for. */
export function contextOf(key: string): SecretContext {
  return { family: 'idempotency-keys', id: key, pointer: '/answer' };
}
