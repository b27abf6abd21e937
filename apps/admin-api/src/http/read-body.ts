import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { BodyShare } from './body-budget.ts';
import { Problem } from './problem.ts';

/**
 * How slowly a body may arrive. A body of any size may take its time as long as it keeps this rate; what came faster
 * earns no pause longer than the grace.
 */
export interface BodyPace {
  /** How long a body may take regardless of its size, and how long it may pause. */
  readonly graceMs: number;
  readonly bytesPerSecondMin: number;
}

/** Honest slow lines pass, connections held open byte by byte do not. Source: decisions, 25. */
export const standardBodyPace: BodyPace = { graceMs: 10_000, bytesPerSecondMin: 512 };

/** Bounds of one body. */
export interface BodyBounds {
  readonly bytesMax: number;
  readonly contentLength: string | undefined;
  readonly pace: BodyPace;
  /** Told of every byte that is kept. */
  readonly share: BodyShare;
}

/**
 * Reads a body to its end and never keeps more than `bytesMax` of it, whatever its `Content-Length` says.
 * @throws Problem `body_too_large`, `request_timeout` when it comes too slowly, `malformed_body` when it is cut off,
 *   `unavailable` when bodies together hold too much
 */
export function readBody(source: Readable, bounds: BodyBounds): Promise<Buffer> {
  if (Number(bounds.contentLength ?? 0) > bounds.bytesMax) return Promise.reject(tooLarge(bounds.bytesMax));
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise<Buffer>((resolve, reject) => {
    const stop = paced(
      bounds.pace,
      () => bytes,
      () => settle(() => reject(tooSlow())),
    );
    const settle = (then: () => void): void => {
      stop();
      source.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      source.pause();
      then();
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > bounds.bytesMax) {
        settle(() => reject(tooLarge(bounds.bytesMax)));
        return;
      }
      try {
        bounds.share.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, bytes)));
    const onCut = (): void => settle(() => reject(new Problem('malformed_body', 'The body ended too early')));
    source.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

const gunzipAsync = promisify(gunzip);

/** Unpacks a gzip body into at most `bytesMax`. @throws Problem `body_too_large` or `malformed_body` */
export async function unpackGzip(packed: Buffer, bytesMax: number): Promise<Buffer> {
  try {
    return await gunzipAsync(packed, { maxOutputLength: bytesMax });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? tooLarge(bytesMax) : new Problem('malformed_body', 'The body is not valid gzip');
  }
}

/** Looks at the pace in one grace period. */
const looksPerGrace = 10;

/** Calls `onTooSlow` once when the body fell behind its pace. Returns what stops the watch. */
function paced(pace: BodyPace, bytesSoFar: () => number, onTooSlow: () => void): () => void {
  const everyMs = pace.graceMs / looksPerGrace;
  let creditMs = pace.graceMs;
  let seenBytes = 0;
  const timer = setInterval(() => {
    const earnedMs = ((bytesSoFar() - seenBytes) / pace.bytesPerSecondMin) * 1000;
    seenBytes = bytesSoFar();
    creditMs = Math.min(creditMs - everyMs + earnedMs, pace.graceMs);
    if (creditMs <= 0) onTooSlow();
  }, everyMs);
  return () => clearInterval(timer);
}

function tooLarge(bytesMax: number): Problem {
  return new Problem('body_too_large', `The body is larger than ${bytesMax} bytes`);
}

function tooSlow(): Problem {
  return new Problem('request_timeout', 'The body arrived too slowly');
}
