import type { Egress, EgressCall } from '@portcullis/egress';
import type { SyncFetch, SyncResponse } from '@portcullis/integrations';

/** Bytes of a body that are held while nobody reads it; the server waits then. */
const heldBytesMax = 64 * 1024;

/**
 * A `fetch` for drivers, which goes the guarded way out: addresses are judged, `http:` goes to listed addresses alone, and redirects are
 * answers. Source: decisions, 20; wire contract, AI records, integrations, SDKs.
 */
export function egressFetch(egress: Pick<Egress, 'open'>): SyncFetch {
  return (url, { method, headers, signal, timeoutMs, connectTimeoutMs = timeoutMs }) =>
    new Promise<SyncResponse>((resolve, reject) => {
      signal.throwIfAborted();
      let call: EgressCall | undefined;
      let body: ReadableStreamDefaultController<Uint8Array> | undefined;
      const fail = (error: Error): void => {
        signal.removeEventListener('abort', onAbort);
        body?.error(error);
        reject(error);
      };
      const onAbort = (): void => {
        call?.abort();
        fail(signal.reason as Error);
      };
      const stream = new ReadableStream<Uint8Array>(
        {
          start: (controller) => void (body = controller),
          pull: () => call?.resume(),
          cancel: () => {
            signal.removeEventListener('abort', onAbort);
            call?.abort();
          },
        },
        { highWaterMark: heldBytesMax, size: (chunk) => chunk.byteLength },
      );
      signal.addEventListener('abort', onAbort, { once: true });
      // The whole sync has a time of its own, which the signal keeps: no single wait of it may be longer.
      const times = { connectTimeoutMs, headTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs };
      call = egress.open(
        { url, method, headers: Object.entries(headers).flat(), requiresTls: true, ...times },
        {
          onHead: (status, pairs) => resolve({ status, headers: headersOf(pairs), body: stream }),
          onData: (bytes) => {
            body?.enqueue(bytes);
            return (body?.desiredSize ?? 0) > 0;
          },
          onEnd: () => {
            signal.removeEventListener('abort', onAbort);
            body?.close();
          },
          onFailure: fail,
        },
      );
    });
}

/** @param pairs name and value by turns, names in lower case */
function headersOf(pairs: readonly string[]): SyncResponse['headers'] {
  const values = new Map<string, string>();
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = pairs[at] ?? '';
    const earlier = values.get(name);
    const value = pairs[at + 1] ?? '';
    values.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return { get: (name) => values.get(name.toLowerCase()) ?? null };
}
