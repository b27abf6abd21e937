import type { Awaitable, SecretSource } from '@portcullis/plugin-runtime';
import { SendError } from './record-sender.ts';

/** What a reference to a secret begins with. */
const REFERENCE = /^(?:vault|env):\/\//;

/** Whether a value names a secret instead of being one. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value);
}

/**
 * Headers whose values may be references, as they are sent: name and value by turns. References are read with each call, so that a
 * rotated secret counts; the host keeps what it read.
 * @throws SendError, by a rejection too, when a secret cannot be read
 */
export function secretHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: SecretSource,
): (signal: AbortSignal) => Awaitable<readonly string[]> {
  const pairs = Object.entries(headers);
  if (!pairs.some(([, value]) => isReference(value))) {
    const fixed = pairs.flat();
    return () => fixed;
  }
  return async (signal) => {
    const read = pairs.map(async ([name, value]) => [name, await secretText(value, secrets, signal)]);
    return (await Promise.all(read)).flat();
  };
}

async function secretText(value: string, secrets: SecretSource, signal: AbortSignal): Promise<string> {
  if (!isReference(value)) return value;
  try {
    const secret = await secrets.read(value, signal);
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(secret)) return secret;
  } catch (cause) {
    throw new SendError('a secret of its headers cannot be read', true, { cause });
  }
  throw new SendError('a secret of its headers is no header value', true);
}
