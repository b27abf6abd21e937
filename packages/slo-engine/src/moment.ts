/** When an evaluation is made: milliseconds since 1970, a date, or a text such as `2026-01-31T12:00:00Z`. */
export type Moment = { readonly now: number | Date | string } | { readonly nowMs: number };

/** A moment in milliseconds since 1970. @throws RangeError for what is no time */
export function msOf(moment: Moment): number {
  const now = 'now' in moment ? moment.now : moment.nowMs;
  const ms = typeof now === 'number' ? now : new Date(now).getTime();
  if (!Number.isFinite(new Date(ms).getTime())) throw new RangeError('An evaluation needs to know when it is made.');
  return Math.floor(ms);
}
