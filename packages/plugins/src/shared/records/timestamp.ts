/** The second that was written last: records of one second are many, and writing a date takes as long as all else of a record. */
let writtenSecond = Number.NaN;
let written = '';

/** A moment as RFC 3339, UTC, with milliseconds. @param epochMs fractions are rounded */
export function timestampOf(epochMs: number): string {
  const moment = Math.round(epochMs);
  const milliseconds = ((moment % 1000) + 1000) % 1000;
  const second = moment - milliseconds;
  if (second !== writtenSecond) {
    written = new Date(second).toISOString().slice(0, -4);
    writtenSecond = second;
  }
  const digits = milliseconds < 10 ? `00${milliseconds}` : milliseconds < 100 ? `0${milliseconds}` : `${milliseconds}`;
  return `${written}${digits}Z`;
}
