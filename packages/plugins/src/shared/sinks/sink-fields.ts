import * as v from 'valibot';
import { flag } from '../config-fields.ts';

/** Shortest and longest time that a config may give a sink, in seconds. */
const TIMEOUT_SECONDS_MIN = 0.01;
const TIMEOUT_SECONDS_MAX = 60;

/** How long a sink has for one answer where nothing is said, in seconds. Below what a hook has by default (5 s). */
const TIMEOUT_SECONDS = 3;

/** Fields of a config that say how its sink is treated. */
export const sinkFields = {
  fail_on_error: v.optional(
    flag(
      'Whether the answer waits for the sink, and is 502 when that refuses; otherwise records leave in the background and no request waits',
    ),
    false,
  ),
} as const;

/** A field for the time that a sink has. */
export function timeoutField(description: string) {
  return v.optional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(TIMEOUT_SECONDS_MIN, `must be at least ${TIMEOUT_SECONDS_MIN}`),
      v.maxValue(TIMEOUT_SECONDS_MAX, `must be at most ${TIMEOUT_SECONDS_MAX}`),
      v.description(description),
    ),
    TIMEOUT_SECONDS,
  );
}
