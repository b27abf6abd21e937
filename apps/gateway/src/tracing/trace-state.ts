/** Most members of a list, empty ones not counted. Source: W3C Trace Context, section 3.3. */
const MEMBERS_MAX = 32;

/** Longest list, in characters. The least that has to go on is 512; a longer one costs time, and every service after this one pays it. */
export const traceStateLengthMax = 4096;

const MEMBER =
  /^(?:[a-z0-9][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** A `tracestate` as it goes on: as it came, or empty for one that cannot be read, which the trace then goes on without. */
export function passedTraceState(value: string): string {
  if (value === '' || value.length > traceStateLengthMax) return '';
  const members = value
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  return members.length <= MEMBERS_MAX && members.every((member) => MEMBER.test(member)) ? value : '';
}
