import { argon2Sync } from 'node:crypto';
import { noConsumers, type BasicCredential, type ConsumerDirectory } from '@portcullis/plugin-runtime';

/** A value of the header. */
export function basicHeader(username: string, password: string): readonly string[] {
  return ['Authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`];
}

/** PHC text of a password at a cost that tests can pay. */
export function cheapHash(password: string, { memory = 64, passes = 1, parallelism = 1 } = {}): string {
  const nonce = Buffer.from('salt-of-the-tests');
  const tag = argon2Sync('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength: 32 });
  const parts = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${parts.join('$')}`;
}

/** The consumer of all credentials here. */
export const acme = { id: 'c1', username: 'acme', groups: ['gold'], credentialId: 'b1' };

/** A credential of the consumer. */
export function credentialOf(passwordHash: string, expiresAtMs?: number): BasicCredential {
  return { passwordHash, match: { consumer: acme, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) } };
}

/** A directory that has these credentials by user name, and the consumer. */
export function directoryOf(credentials: Readonly<Record<string, BasicCredential>>): ConsumerDirectory {
  const known = new Map(Object.entries(credentials));
  return {
    ...noConsumers,
    findBasic: (username) => known.get(username),
    findConsumer: (reference) => ({ acme, gone: 'disabled' as const })[reference],
  };
}
