import * as v from 'valibot';

/** A point in time of a config, RFC 3339 with a zone: `2026-01-31T09:30:00Z`. Read it with {@link expiryMs}. */
export function expiryField(description: string) {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(TIMESTAMP_LENGTH_MAX, `must have at most ${TIMESTAMP_LENGTH_MAX} characters`),
    v.regex(RFC_3339, MESSAGE),
    // What has another form was refused above.
    v.check((text) => !RFC_3339.test(text) || !Number.isNaN(Date.parse(text)), 'must be a time that there is'),
    v.description(description),
  );
}

/** Milliseconds since 1970 from which something has expired; `Infinity` where nothing is said. */
export function expiryMs(timestamp: string | undefined): number {
  return timestamp === undefined ? Infinity : Date.parse(timestamp);
}

const TIMESTAMP_LENGTH_MAX = 40;
const MESSAGE = 'must be an RFC 3339 time such as 2026-01-31T09:30:00Z';
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
