import { outboundFailure, type Outbound } from '@portcullis/plugin-runtime';

/** Why a service gave nothing that could be used. For the operator: names no address and holds nothing of what was said. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** In snake_case: `timeout`, `status_500`, `no_json`. */
  readonly reason: string;

  constructor(who: string, reason: string) {
    super(`${who} gave no usable answer: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Reasons that may come of the one message that a service was asked about: whoever writes messages must not be able to have the service taken
 * for dead, so these say nothing of it. What judges by a model says what the judged text talks it into.
 */
const OF_ONE_MESSAGE: ReadonlySet<string> = new Set([
  'no_verdict',
  'no_score',
  'no_action',
  'no_results_list',
  'no_json',
  'too_large',
  'aborted',
]);

/** Statuses from 400 to 499 that are said to whoever asks, and of no message: credentials, addresses, overload. */
const OF_WHO_ASKS: ReadonlySet<string> = new Set([
  'status_401',
  'status_403',
  'status_404',
  'status_408',
  'status_429',
]);

/** Whether a failure says something of the service, and not only of the message that it was asked about. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return true;
  const { reason } = error;
  return !OF_ONE_MESSAGE.has(reason) && (!reason.startsWith('status_4') || OF_WHO_ASKS.has(reason));
}

/** Whether nobody waits for the answer any more: who left says nothing of the service. */
export function isAborted(error: unknown): boolean {
  return error instanceof ServiceError && error.reason === 'aborted';
}

/** One question to a service. */
export interface ServiceCall {
  readonly url: string;
  /** Name and value by turns; `content-type` and `accept` are there already. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Bytes of an answer of such services. */
export const SERVICE_ANSWER_BYTES_MAX = 1_048_576;

/**
 * Asks a service in JSON. Prompts and answers go there, and keys: over TLS only, or to addresses that the operator lists.
 * @param who the service in the operator's words, for errors: `the judge`
 * @throws ServiceError for anything but JSON with a status of success
 */
export async function askService(outbound: Outbound, who: string, call: ServiceCall): Promise<unknown> {
  const { url, headers, body, timeoutMs, signal } = call;
  const answer = await outbound
    .request({
      url,
      method: 'POST',
      headers: ['content-type', 'application/json', 'accept', 'application/json', ...headers],
      body,
      timeoutMs,
      responseBytesMax: SERVICE_ANSWER_BYTES_MAX,
      requiresTls: true,
      signal,
    })
    .catch((error: unknown) => {
      const failure = outboundFailure(error);
      throw failure === undefined ? error : new ServiceError(who, failure);
    });
  if (answer.status < 200 || answer.status > 299) throw new ServiceError(who, `status_${answer.status}`);
  try {
    return JSON.parse(utf8.decode(answer.body)) as unknown;
  } catch {
    throw new ServiceError(who, 'no_json');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Headers of a config's map as calls want them. */
export function headerPairs(map: Readonly<Record<string, string>> | undefined): readonly string[] {
  return Object.entries(map ?? {}).flat();
}
