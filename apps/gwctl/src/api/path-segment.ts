import { CommandFailure } from '../failure.ts';

/**
 * An ID or name as one segment of a path.
 * @param what it is to name, for the message
 * @throws CommandFailure for an empty text, `.` and `..`: their paths would be those of all records, or of what they lie in
 */
export function pathSegment(text: string, what: string): string {
  if (text === '') throw new CommandFailure(`an empty text names no ${what}`);
  if (text === '.' || text === '..') throw new CommandFailure(`${text} names no ${what}`);
  return encodeURIComponent(text);
}
