import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { argon2Cost, createPasswordHasher } from './password-hasher.ts';
import { passwordWeakness } from './password-rules.ts';

const hasher = createPasswordHasher(randomBytes);

describe('password hashes', () => {
  it('are salted Argon2id at the floor cost or above, and match their password only', async () => {
    const [first, second] = await Promise.all([
      hasher.hash('a good password', 'acme'),
      hasher.hash('a good password', 'acme'),
    ]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(argon2Cost.memoryKib * argon2Cost.passes).toBeGreaterThanOrEqual(19_456 * 2);
    expect(first).not.toBe(second);
    expect(await hasher.verify('a good password', first)).toEqual({ matches: true, needsRehash: false });
    expect((await hasher.verify('a good passwore', first)).matches).toBe(false);
  });

  it('depend on every character of a long password', async () => {
    const long = 'x'.repeat(127);
    const stored = await hasher.hash(`${long}a`, 'acme');
    expect((await hasher.verify(`${long}b`, stored)).matches).toBe(false);
    expect((await hasher.verify(`${long}a`, stored)).matches).toBe(true);
  });

  it('say when they were made at another cost', async () => {
    const salt = Buffer.alloc(16, 1);
    const { argon2Sync } = await import('node:crypto');
    const tag = argon2Sync('argon2id', {
      message: Buffer.from('pw'),
      nonce: salt,
      parallelism: 1,
      tagLength: 32,
      memory: 8192,
      passes: 1,
    });
    const text = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
    const stored = `$argon2id$v=19$m=8192,t=1,p=1$${text(salt)}$${text(tag)}`;
    expect(await hasher.verify('pw', stored)).toEqual({ matches: true, needsRehash: true });
  });

  it.each(['', 'plain', '$argon2id$v=19$m=1,t=1,p=1$$', '$argon2i$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA'])(
    'the malformed %s matches nothing',
    async (stored) => {
      expect((await hasher.verify('anything', stored)).matches).toBe(false);
    },
  );

  it('are refused beyond what may wait, and the queue recovers', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => hasher.verify('x', '$none')));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(80 - 3 - 32);
    expect(refused[0]?.reason).toMatchObject({ code: 'hash_queue_full' });
    expect((await hasher.verify('x', '$none')).matches).toBe(false);
  });
});

describe('the queue of hashes', () => {
  it('lets logins and other tenants through while one tenant has more than it may', async () => {
    const flood = Promise.allSettled(Array.from({ length: 100 }, () => hasher.hash('a good password', 'greedy')));
    const [login, other] = await Promise.all([
      hasher.verify('x', hasher.decoy(), '192.0.2.1'),
      hasher.hash('a good password', 'modest'),
    ]);
    expect([login.matches, other.startsWith('$argon2id$')]).toEqual([false, true]);
    const outcomes = await flood;
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2 + 64);
  });

  it('takes as long for a decoy as for a password', async () => {
    expect(hasher.decoy()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await hasher.verify('any', hasher.decoy())).toEqual({ matches: false, needsRehash: false });
  });
});

describe('password rules', () => {
  it.each([
    ['1234567', /at least 8/],
    ['x'.repeat(129), /at most 128/],
    ['password', /guessed/],
    ['PASSWORD123', /guessed/],
    ['qwertyuiop', /guessed/],
    ['aaaaaaaaaa', /guessed/],
    ['abcdefghij', /guessed/],
    ['87654321', /guessed/],
  ])('refuse %s', (password, message) => {
    expect(passwordWeakness(password)).toMatch(message);
  });

  it.each(['a fine sentence', 'xy7!kd02', 'ünïcödé päss', 'x9'.repeat(64), '🔑🔑🔒🔓🔑🔒🔓🔓'])(
    'take %s',
    (password) => {
      expect(passwordWeakness(password)).toBeUndefined();
    },
  );
});
