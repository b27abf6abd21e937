import type { Redaction } from './redaction.ts';

/** Longest text that is kept of an answer, in characters. */
export const KEPT_TEXT_LENGTH_MAX = 256;

/** A value of an answer as the text that is kept of it; `null` where it is none. */
export type KeepText = (value: unknown) => string | null;

/**
 * Keeps texts of one sync's answers: without secrets, cut to {@link KEPT_TEXT_LENGTH_MAX}, and without control characters; a number is a text, too.
 * Only what is kept goes through here: to clean whole answers would take as long as somebody else makes them.
 */
export function keepingText(redaction: Redaction): KeepText {
  return (value) => {
    if (typeof value === 'number') return Number.isFinite(value) ? redaction.said(String(value)) : null;
    if (typeof value !== 'string') return null;
    return redaction
      .saidBeginning(value, KEPT_TEXT_LENGTH_MAX)
      .replaceAll(/\p{Cc}/gu, ' ')
      .toWellFormed();
  };
}
