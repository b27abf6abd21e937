import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Problem } from './problem.ts';

/** How slowly a body may arrive. A body of any size may take its time as long as it keeps this rate. */
export interface BodyPace {
  /** How long a body may take regardless of its size. */
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
}

/**
 * Reads a body to its end and never keeps more than `bytesMax` of it, whatever its `Content-Length` says.
 * @throws Problem `body_too_large`, `request_timeout` when it comes too slowly, `malformed_body` when it is cut off
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
      if (bytes > bounds.bytesMax) settle(() => reject(tooLarge(bounds.bytesMax)));
      else chunks.push(chunk);
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

/** Calls `onTooSlow` once when fewer bytes than the pace asks for have come. Returns what stops the watch. */
function paced(pace: BodyPace, bytesSoFar: () => number, onTooSlow: () => void): () => void {
  let elapsedMs = pace.graceMs;
  let timer = setTimeout(check, pace.graceMs);
  function check(): void {
    const earnedMs = pace.graceMs + (bytesSoFar() / pace.bytesPerSecondMin) * 1000;
    if (earnedMs <= elapsedMs) {
      onTooSlow();
      return;
    }
    timer = setTimeout(check, Math.min(earnedMs - elapsedMs, pace.graceMs));
    elapsedMs += Math.min(earnedMs - elapsedMs, pace.graceMs);
  }
  return () => clearTimeout(timer);
}

function tooLarge(bytesMax: number): Problem {
  return new Problem('body_too_large', `The body is larger than ${bytesMax} bytes`);
}

function tooSlow(): Problem {
  return new Problem('request_timeout', 'The body arrived too slowly');
}
