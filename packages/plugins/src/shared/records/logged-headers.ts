import type { HeaderView } from '@portcullis/plugin-runtime';
import { RECORD_HEADERS_MAX, RECORD_TEXT_LENGTH_MAX } from './log-record.ts';
import { REDACTED, redactedHeader } from './redaction.ts';

/** Which headers a record has: all (`true`), none (`false`), or those of these names in lower case. */
export type HeaderChoice = boolean | readonly string[];

/** Names of headers, in lower case. */
export type HeaderNames = Pick<ReadonlyMap<string, unknown>, 'has'>;

/**
 * The chosen headers of a message, credentials redacted; `undefined` when none are wanted. Names are in lower case.
 * @param credentials names of further headers that hold credentials
 */
export function loggedHeaders(
  headers: HeaderView,
  choice: HeaderChoice,
  credentials: HeaderNames,
): Record<string, string> | undefined {
  if (choice === false) return undefined;
  // No prototype: names come from clients, and `__proto__` is one of them.
  const logged = Object.create(null) as Record<string, string>;
  if (choice !== true) {
    for (const name of choice) {
      const value = headers.get(name);
      if (value !== undefined) logged[name] = shown(name, value, credentials);
    }
    return logged;
  }
  let count = 0;
  headers.forEach((written, value) => {
    if (written.length > RECORD_TEXT_LENGTH_MAX) return;
    const name = written.toLowerCase();
    const before = logged[name];
    if (before === undefined && (count += 1) > RECORD_HEADERS_MAX) return;
    const shownValue = shown(name, value, credentials);
    if (before === undefined) logged[name] = shownValue;
    else if (before !== shownValue) logged[name] = `${before}, ${shownValue}`.slice(0, RECORD_TEXT_LENGTH_MAX);
  });
  return logged;
}

function shown(name: string, value: string, credentials: HeaderNames): string {
  const redacted = credentials.has(name) ? REDACTED : redactedHeader(name, value);
  return redacted.length > RECORD_TEXT_LENGTH_MAX ? redacted.slice(0, RECORD_TEXT_LENGTH_MAX) : redacted;
}
