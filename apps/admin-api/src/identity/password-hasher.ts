import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createFairQueue, QueueFullError } from './fair-queue.ts';
import type { RandomBytes } from './opaque-token.ts';
import { passwordWeakness } from './password-rules.ts';

/** What a check of a password found. */
export interface PasswordCheck {
  readonly matches: boolean;
  /** The stored hash was made at another cost: hash the password again while it is at hand. */
  readonly needsRehash: boolean;
}

/** Turns passwords into something that can be stored. Source: decisions, 23. */
export interface PasswordHasher {
  /**
   * A salted hash as PHC text, for a write of a tenant (empty for one outside all tenants). Tenants take turns.
   * @throws HashQueueFullError
   */
  hash(password: string, tenantId: string): Promise<string>;
  /** A text that no password matches and that takes as long to check as any. Made without hashing. */
  decoy(): string;
  /** What makes a new password unfit, as a message for its field; nothing when it is fit. */
  weaknessOf(password: string): string | undefined;
  /**
   * Compares in constant time, for a login from an address. Addresses take turns, and no write of a tenant is in their way.
   * A malformed stored text never matches. @throws HashQueueFullError
   */
  verify(password: string, stored: string, address?: string): Promise<PasswordCheck>;
}

/** Too many passwords wait to be hashed. */
export class HashQueueFullError extends Error {
  readonly code = 'hash_queue_full';
}

/** Argon2id at the floor that OWASP asks for; about 25 ms of one core. Source: security, Password hashing. */
export const argon2Cost = { memoryKib: 19_456, passes: 2, parallelism: 1 } as const;

/** At most this many hashes at once: each holds 19 MiB and a thread. Source: security, Login brute force. */
const runningMax = 4;
/**
 * Logins go first and leave one place to writes. What may wait is a few seconds' worth; beyond, callers are told to come back.
 */
const lanes = {
  login: { runningMax: 3, waitingMax: 256, waitingPerPartyMax: 32 },
  write: { runningMax: 2, waitingMax: 256, waitingPerPartyMax: 64 },
} as const;
const saltBytes = 16;
const tagBytes = 32;

const runArgon2 = promisify(argon2);

/** A hasher on `node:crypto`'s Argon2id with a bounded queue that nobody can fill for others. */
export function createPasswordHasher(random: RandomBytes): PasswordHasher {
  const queue = createFairQueue(runningMax, lanes);
  const limited = async <Result>(
    lane: keyof typeof lanes,
    party: string,
    job: () => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await queue(lane, party, job);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw new HashQueueFullError('too many passwords wait to be hashed');
    }
  };
  return {
    hash(password, tenantId) {
      return limited('write', tenantId, async () => {
        const salt = random(saltBytes);
        return phcText(argon2Cost, salt, await derive(argon2Cost, salt, password, tagBytes));
      });
    },
    decoy: () => phcText(argon2Cost, random(saltBytes), random(tagBytes)),
    weaknessOf: passwordWeakness,
    verify(password, stored, address = '') {
      return limited('login', address, async () => {
        const parts = parsePhc(stored);
        if (!parts) return { matches: false, needsRehash: false };
        const tag = await derive(parts.cost, parts.salt, password, parts.tag.length);
        return { matches: timingSafeEqual(tag, parts.tag), needsRehash: !isCurrent(parts.cost) };
      });
    },
  };
}

interface Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly parallelism: number;
}

function phcText(cost: Cost, salt: Uint8Array, tag: Uint8Array): string {
  const parameters = `m=${cost.memoryKib},t=${cost.passes},p=${cost.parallelism}`;
  return `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(tag)}`;
}

function derive(cost: Cost, salt: Uint8Array, password: string, length: number): Promise<Buffer> {
  return runArgon2('argon2id', {
    message: Buffer.from(password, 'utf8'),
    nonce: salt,
    parallelism: cost.parallelism,
    tagLength: length,
    memory: cost.memoryKib,
    passes: cost.passes,
  });
}

const phcForm =
  /^\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,2}),p=([0-9]{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/;

function parsePhc(text: string): { cost: Cost; salt: Buffer; tag: Buffer } | undefined {
  const match = phcForm.exec(text);
  if (!match) return undefined;
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const cost = { memoryKib: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

function isCurrent(cost: Cost): boolean {
  return (
    cost.memoryKib === argon2Cost.memoryKib &&
    cost.passes === argon2Cost.passes &&
    cost.parallelism === argon2Cost.parallelism
  );
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
