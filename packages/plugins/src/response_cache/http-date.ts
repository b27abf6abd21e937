const FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const RFC850 = /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Milliseconds since 1970 of a date in one of HTTP's three forms; `undefined` for anything else. Source: RFC 9110, section 5.6.7. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  let ms = NaN;
  if (FIXDATE.test(text) || RFC850.test(text)) ms = Date.parse(text);
  else if (ASCTIME.test(text)) ms = Date.parse(`${text} GMT`);
  return Number.isNaN(ms) ? undefined : ms;
}
