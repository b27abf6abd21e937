import { hash } from 'node:crypto';

/**
 * What stands for a token in tables and caches: its SHA-256. How long a look-up takes then tells nothing about how much of a guess
 * is right, because the guesser does not know the digests.
 */
export function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
