import { hash } from 'node:crypto';
import type { BasicCredentials } from '../shared/basic/basic-credentials.ts';
import type { Config } from './config.ts';

/** What a configured user stands for. */
export interface UserEntry {
  /** The consumer that the entry names. */
  readonly consumer: string | undefined;
}

/** Configured users by {@link digestOf} what they present. The passwords are not kept. */
export type UserTable = ReadonlyMap<string, UserEntry>;

/**
 * Compiles configured users. A user may have several passwords. When name and password stand there twice, the entry that names a
 * consumer counts.
 */
export function compileUsers(users: Config['allowed_users']): UserTable {
  const table = new Map<string, UserEntry>();
  for (const { consumer, ...presented } of users) {
    const digest = digestOf(presented);
    table.set(digest, { consumer: consumer ?? table.get(digest)?.consumer });
  }
  return table;
}

/**
 * SHA-256 of name and password, one character a byte. What is looked up by it takes a time that tells nothing about how much of a
 * guess is right, because the guesser does not know the digests. No two pairs read alike: a name has no colon.
 */
export function digestOf({ username, password }: BasicCredentials): string {
  return hash('sha256', `${username}:${password}`, 'binary');
}
