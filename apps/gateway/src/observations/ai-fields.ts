import { observationLimits } from '@portcullis/resources';

/** What the control plane would not take in any text: NUL and halves of surrogate pairs, as JSON escapes them. */
const refusedEscapes = /\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;

/**
 * What plugins said of a request as plain JSON that a report may hold, or `undefined`: what is too large, too deep or no JSON
 * must not make the control plane refuse the batch that it is in.
 */
export function aiFields(said: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> | undefined {
  if (said === undefined || depthOf(said, observationLimits.aiDepthMax) > observationLimits.aiDepthMax)
    return undefined;
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

/** How deep a value is nested; looks no deeper than one more than `most`. */
function depthOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null || most < 0) return 0;
  let deepest = 0;
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) deepest = Math.max(deepest, depthOf(part, most - 1));
  }
  return 1 + deepest;
}
