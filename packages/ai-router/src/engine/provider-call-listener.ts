import type { ReadAnswer } from '../providers/adapter.ts';
import type { AttemptEnd } from './attempt-log.ts';
import type { ProviderError } from './provider-answer.ts';
import type { StreamStep } from './stream-reading.ts';

/** Who hears how a call goes. One of the first three comes once; after `onStreamBegun` one `onStreamStep` after another. */
export interface ProviderCallListener {
  onAnswer(answer: ReadAnswer, bytes: Uint8Array): void;
  onProviderError(error: ProviderError): void;
  /** Nothing that could be passed on came: the next target's turn. */
  onCallFailure(end: AttemptEnd): void;
  /** A piece of a stream was read. @returns `false` to hold the rest until {@link ProviderCall.resume} */
  onStreamPiece(step: StreamStep): boolean;
  /** The stream ended or broke after it had begun, without a word of its own. @param errorClass why */
  onStreamBroken(errorClass: string): void;
  /** The listener itself threw. Nothing more comes. */
  onCrash(error: unknown): void;
}

/** Bounds of one call, in milliseconds and bytes. */
export interface CallBounds {
  readonly connectMs: number;
  /** Until the answer is whole, or its stream has begun. */
  readonly answerMs: number;
  readonly idleMs: number;
  readonly responseBytesMax: number;
}
