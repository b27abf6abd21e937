import type { ConsumerIdentity } from '@portcullis/plugin-runtime';

/**
 * Puts the host that the upstream gets in place of another, unless a plugin has set one of its own.
 * @param pairs name and value by turns; changed in place
 */
export function replaceHost(pairs: string[], replaced: string, authority: string): void {
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at];
    if (name !== 'host' && name?.toLowerCase() !== 'host') continue;
    if (pairs[at + 1] === replaced) pairs[at + 1] = authority;
    return;
  }
  pairs.push('host', authority);
}

/** Tells the upstream who the client was found to be. Source: wire contract, Value forms, Edge. */
export function addConsumer(pairs: string[], consumer: ConsumerIdentity): void {
  pairs.push('X-Consumer-ID', fieldText(consumer.id));
  if (consumer.username !== undefined) pairs.push('X-Consumer-Username', fieldText(consumer.username));
  if (consumer.groups.length > 0) pairs.push('X-Consumer-Groups', consumer.groups.map(groupText).join(', '));
  if (consumer.credentialId !== undefined) pairs.push('X-Credential-Identifier', fieldText(consumer.credentialId));
}

/** Names may hold any Unicode; a header field may not. What does not fit is percent-encoded as UTF-8. */
function fieldText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

/** One name of a list: what could be taken for the list's own comma, for its spaces or for an escape is encoded too. */
function groupText(name: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !/[,%]/.test(name);
  return isPlain ? name : encodeURIComponent(name.toWellFormed());
}
