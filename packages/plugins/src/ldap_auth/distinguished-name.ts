/*
 * Distinguished names as text. Source: RFC 4514.
 */

/** Where the user's name goes in a template. */
export const USERNAME = '{username}';

/**
 * The form of a template: a distinguished name with {@link USERNAME} in a value. Escapes are those of RFC 4514, section 2.4; the older
 * quoted form of values is none.
 */
export const DN_TEMPLATE: RegExp = (() => {
  const type = String.raw` *(?:[A-Za-z][A-Za-z0-9-]*|[0-9]+(?:\.[0-9]+)*) *=`;
  const value = String.raw`(?:[^\\,+"<>;\x00]|\\[0-9A-Fa-f]{2}|\\[ "#+,;<=>\\])*`;
  const pair = `${type}${value}`;
  return new RegExp(`^${pair}(?:[,+]${pair})*$`);
})();

/** Puts a name into a template, as one value that it cannot leave. */
export function distinguishedName(template: string, username: string): string {
  return template.replaceAll(USERNAME, () => escapedValue(username));
}

/** A value as it stands in a distinguished name. Source: RFC 4514, section 2.4. */
export function escapedValue(value: string): string {
  // The last space first: where it is also the first, it is escaped once.
  return value
    .replaceAll(/[\\"+,;<=>]/g, String.raw`\$&`)
    .replaceAll('\0', String.raw`\00`)
    .replace(/(?<=.) $/s, String.raw`\ `)
    .replace(/^[ #]/, String.raw`\$&`);
}
