import type { ConsumerIdentity } from '../exchange.ts';

/**
 * Fields in which an upstream is told who the client is, by lower-case name. What a client sends in them is removed: it
 * would speak for itself. Source: wire, Edge.
 */
export const IDENTITY_FIELDS: ReadonlySet<string> = new Set([
  'x-anonymous-consumer',
  'x-consumer-custom-id',
  'x-consumer-groups',
  'x-consumer-id',
  'x-consumer-username',
  'x-credential-identifier',
]);

/** Whether a field says who the client is. */
export function isIdentityField(lowerName: string): boolean {
  return IDENTITY_FIELDS.has(lowerName);
}

/** The fields that tell the upstream who the client was found to be: name and value by turns. */
export function consumerFields(consumer: ConsumerIdentity): readonly string[] {
  const { id, username, groups, credentialId } = consumer;
  const fields = ['X-Consumer-ID', fieldText(id)];
  if (username !== undefined) fields.push('X-Consumer-Username', fieldText(username));
  if (groups.length > 0) fields.push('X-Consumer-Groups', groups.map(groupText).join(', '));
  if (credentialId !== undefined) fields.push('X-Credential-Identifier', fieldText(credentialId));
  return fields;
}

/** Names may hold any Unicode; a header field may not. What does not fit is percent-encoded as UTF-8. */
function fieldText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

/** One name of a list: what could be taken for the list's comma, for its spaces or for an escape is encoded too. */
function groupText(name: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !/[,%]/.test(name);
  return isPlain ? name : encodeURIComponent(name.toWellFormed());
}
