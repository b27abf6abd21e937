import type { RouterTimers } from '../../engine/router-options.ts';
import type { PreparedRequest } from '../../providers/adapter.ts';
import type { Transport } from '../../transport.ts';
import { EmbeddingError } from './embedder.ts';

/** A whole answer. */
export interface CollectedAnswer {
  readonly status: number;
  /** Name and value by turns, names in lower case. */
  readonly headers: readonly string[];
  readonly bytes: Uint8Array;
}

/** Bounds of one call. */
export interface CollectBounds {
  readonly connectTimeoutMs: number;
  /** For all of it. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

/** Sends a request and takes the whole answer. Rejects with an EmbeddingError. */
export function collectAnswer(
  request: PreparedRequest,
  { connectTimeoutMs, timeoutMs, bytesMax }: CollectBounds,
  { transport, timers }: { readonly transport: Transport; readonly timers: RouterTimers },
): Promise<CollectedAnswer> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let head: Omit<CollectedAnswer, 'bytes'> | undefined;
    let bytes = 0;
    let isOver = false;
    const end = (): void => {
      isOver = true;
      stop();
    };
    const fail = (error: EmbeddingError): void => {
      if (isOver) return;
      end();
      call.abort();
      reject(error);
    };
    const stop = timers.after(timeoutMs, () => fail(silent()));
    const call = transport.open(
      {
        ...{ url: request.url, method: 'POST', headers: request.headers, body: request.body },
        ...{ connectTimeoutMs, headTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs, requiresTls: true },
      },
      {
        onHead: (status, headers) => {
          head = { status, headers };
        },
        onData(piece) {
          bytes += piece.byteLength;
          if (bytes > bytesMax) fail(new EmbeddingError(502, "the embedding provider's answer is too large"));
          else if (!isOver) pieces.push(piece);
          return true;
        },
        onEnd() {
          if (isOver) return;
          end();
          if (head === undefined) reject(silent());
          else resolve({ ...head, bytes: Buffer.concat(pieces) });
        },
        onFailure: (error) => fail(silent(error)),
      },
    );
  });
}

function silent(cause?: Error): EmbeddingError {
  return new EmbeddingError(503, 'the embedding provider does not answer', cause === undefined ? {} : { cause });
}
