import { isNestedWithin, observationLimits } from '@portcullis/resources';

/** What the control plane would not take in any text: NUL and halves of surrogate pairs, as JSON escapes them. */
const refusedEscapes = /\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;

/**
 * What plugins said of a request as plain JSON that a report may hold, or `undefined`: what is too large, too deep or no JSON
 * must not make the control plane refuse the batch that it is in.
 */
export function aiFields(said: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> | undefined {
  if (said === undefined || !isNestedWithin(said, observationLimits.aiDepthMax)) return undefined;
  try {
    const written = JSON.stringify(said);
    const text = written.includes('\\u') ? written.replace(refusedEscapes, '\\ufffd') : written;
    if (text.length > observationLimits.aiLengthMax) return undefined;
    const plain = JSON.parse(text) as Record<string, unknown>;
    return Object.keys(plain).length === 0 ? undefined : plain;
  } catch {
    return undefined;
  }
}
