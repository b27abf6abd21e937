import type { ObservationEdits } from './decision.ts';

/** What is known before any plugin said something. */
export const NOTHING_OBSERVED: ObservationEdits = Object.freeze({});

/** Most fields that plugins may put into the `ai` part of one request's record. */
export const AI_FIELDS_MAX = 64;

/**
 * What plugins said so far and what one more says, as a copy: the plugin may change its own afterwards.
 * @throws TypeError for what is no observation, or for too many fields
 */
export function withObservation(before: ObservationEdits, edits: ObservationEdits | undefined): ObservationEdits {
  if (edits === undefined) return before;
  if (typeof edits !== 'object' || edits === null) throw new TypeError('an observation is an object');
  const { sampled = before.sampled, ai } = edits;
  if (sampled !== undefined && typeof sampled !== 'boolean') throw new TypeError('sampled is true or false');
  if (ai !== undefined && (typeof ai !== 'object' || ai === null || Array.isArray(ai))) {
    throw new TypeError('the ai part of an observation is an object');
  }
  const fields =
    ai === undefined ? before.ai : Object.freeze(before.ai === undefined ? { ...ai } : { ...before.ai, ...ai });
  if (fields !== undefined && Object.keys(fields).length > AI_FIELDS_MAX) {
    throw new TypeError(`the ai part of an observation has at most ${AI_FIELDS_MAX} fields`);
  }
  const edited: { sampled?: boolean; ai?: Readonly<Record<string, unknown>> } = {};
  if (sampled !== undefined) edited.sampled = sampled;
  if (fields !== undefined) edited.ai = fields;
  return Object.freeze(edited);
}
