import { outboundFailure, type OutboundResponse, type PluginServices } from '@portcullis/plugin-runtime';
import { SendError, type RecordSender } from './record-sender.ts';
import { secretHeaders } from './secret-headers.ts';

/** How records are sent over HTTP. */
export interface HttpSending<Entry> {
  readonly url: string;
  readonly method: string;
  /** Values may be references to secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Whether `http:` is refused but for addresses that the operator lists: for calls with a vendor's key. Default false. */
  readonly requiresTls?: boolean;
  /** The body of a call, and its media type. */
  readonly body: (batch: readonly Entry[]) => { readonly text: string; readonly contentType: string };
}

/** Longest answer of a sink that is read, in bytes. Nobody looks at it, but some say all that they were sent again. */
const ANSWER_BYTES_MAX = 2 * 1024 * 1024;

/** Status that says there is too much in one call. */
const TOO_LARGE = 413;

/** Statuses after which the same call may work later. Any 5xx does, too. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429]);

/** A sender that makes one call for each batch. Any 2xx says that the sink took it; redirects are not followed. */
export function httpSender<Entry>(
  { url, method, headers, timeoutMs, requiresTls = false, body }: HttpSending<Entry>,
  { outbound, secrets }: Pick<PluginServices, 'outbound' | 'secrets'>,
): RecordSender<Entry> {
  const headersOf = secretHeaders(headers, secrets);
  return {
    async send(batch, signal) {
      const { text, contentType } = body(batch);
      const more = await headersOf(signal);
      const call = {
        ...{ url, method, body: text, timeoutMs, requiresTls, signal },
        headers: [...more, 'content-type', contentType],
        responseBytesMax: ANSWER_BYTES_MAX,
      };
      judge(await outbound.request(call).catch(fail));
    },
  };
}

function fail(cause: unknown): never {
  const code = outboundFailure(cause) ?? 'failed';
  // An answer that is too long says nothing of whether the records were taken: sent again, they could be there twice.
  throw new SendError(`the call failed: ${code}`, code !== 'refused' && code !== 'too_large', { cause });
}

/** @throws SendError unless the sink took it */
function judge({ status, header }: OutboundResponse): void {
  if (status >= 200 && status < 300) return;
  const retryAfter = header('retry-after');
  const retryAfterMs = retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined;
  const isRetryable = status >= 500 || RETRYABLE.has(status);
  throw new SendError(`the sink answered ${status}`, isRetryable, {
    isTooLarge: status === TOO_LARGE,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
