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
