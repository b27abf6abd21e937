/**
 * A text as a string of PromQL, whose escapes are those of Go. What JSON writes is a part of them. U+FFFD is escaped as well: the
 * lexer of Prometheus takes it for a byte that is no UTF-8.
 */
export function labelValue(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\ufffd', String.raw`\ufffd`);
}

/** A text that a template of Prometheus shows as it is, also when somebody named an SLO `{{ … }}`. */
export function templateText(text: string): string {
  return text.toWellFormed().replaceAll('{{', '{{ "{{" }}');
}
