import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { FAILURE_MS, KeptSecret, READS_MAX, STALE_MS_MAX } from './kept-secret.ts';
import { textContent, type SecretContent } from './secret-content.ts';
import { VaultError, type VaultFailure } from './vault-error.ts';

const TTL_MS = 60_000;

/** A vault whose answers are given by hand. */
class HeldVault {
  readonly clock = new FakeClock();
  readonly reads = { underWay: 0 };
  readonly failures: string[] = [];
  readonly #open: PromiseWithResolvers<SecretContent>[] = [];
  /** Reads that were begun. */
  asked = 0;

  secret(ttlMs = TTL_MS): KeptSecret {
    const read = (): Promise<SecretContent> => {
      this.asked += 1;
      const held = Promise.withResolvers<SecretContent>();
      this.#open.push(held);
      return held.promise;
    };
    const { reads, clock } = this;
    const onFailure = ({ code }: VaultError): unknown => this.failures.push(code);
    return new KeptSecret('a', {
      vault: 'v',
      driver: { read },
      ttlMs,
      reads,
      monotonicMs: clock.monotonicMs,
      onFailure,
    });
  }

  /** Answers the oldest read, and lets who waits for it run. */
  async answer(value: string | { readonly fail: VaultFailure; readonly isOfHost?: boolean }): Promise<void> {
    const held = this.#open.shift();
    if (typeof value === 'string') held?.resolve(textContent(value));
    else held?.reject(new VaultError(value.fail, value.fail, { isOfHost: value.isOfHost === true }));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const now = (secret: KeptSecret): string | Promise<string> => secret.value(undefined, undefined);

/** A secret that was read at the clock's start. */
async function primed(vault: HeldVault, ttlMs = TTL_MS): Promise<KeptSecret> {
  const secret = vault.secret(ttlMs);
  const first = now(secret);
  await vault.answer('first');
  expect(await first).toBe('first');
  return secret;
}

describe('a kept secret', () => {
  it('is read once for all who ask meanwhile, and given at once afterwards', async () => {
    const vault = new HeldVault();
    const secret = vault.secret();
    const all = Array.from({ length: 50 }, () => now(secret));
    await vault.answer('first');
    expect(new Set(await Promise.all(all.map(async (one) => one)))).toEqual(new Set(['first']));
    expect([now(secret), vault.asked, vault.reads.underWay]).toEqual(['first', 1, 0]);
  });

  it('is fetched anew in the last fifth of its time, while requests get what is kept', async () => {
    const vault = new HeldVault();
    const secret = await primed(vault);
    vault.clock.advance(TTL_MS * 0.8 - 1);
    expect([now(secret), vault.asked]).toEqual(['first', 1]);
    vault.clock.advance(1);
    expect([now(secret), now(secret), vault.asked]).toEqual(['first', 'first', 2]);
    await vault.answer('second');
    expect([now(secret), vault.asked]).toEqual(['second', 2]);
  });

  it('is waited for once its time is over: a new value shows within the time to live', async () => {
    const vault = new HeldVault();
    const secret = await primed(vault);
    vault.clock.advance(TTL_MS);
    const next = now(secret);
    await vault.answer('second');
    expect(await next).toBe('second');
  });

  it('has its time counted from the beginning of the read', async () => {
    const vault = new HeldVault();
    const secret = vault.secret();
    const first = now(secret);
    vault.clock.advance(TTL_MS);
    await vault.answer('first');
    expect(await first).toBe('first');
    expect(now(secret)).toBeInstanceOf(Promise);
    await vault.answer('second');
  });

  it('goes on while the vault does not answer, up to a bound, and is asked for once a while', async () => {
    const vault = new HeldVault();
    const secret = await primed(vault);
    vault.clock.advance(TTL_MS);
    const waited = now(secret);
    await vault.answer({ fail: 'unavailable' });
    expect(await waited).toBe('first');
    expect([now(secret), now(secret), vault.asked]).toEqual(['first', 'first', 2]);
    vault.clock.advance(FAILURE_MS);
    expect([now(secret), now(secret), vault.asked]).toEqual(['first', 'first', 3]);
    await vault.answer({ fail: 'unavailable' });
    vault.clock.advance(STALE_MS_MAX - FAILURE_MS - 1);
    expect(now(secret)).toBe('first');
    await vault.answer({ fail: 'unavailable' });
    vault.clock.advance(1);
    expect(() => now(secret)).toThrow(VaultError);
    expect(vault.failures).toEqual(['unavailable']);
  });

  it('comes back with the new value when the vault does', async () => {
    const vault = new HeldVault();
    const secret = await primed(vault);
    vault.clock.advance(TTL_MS);
    void now(secret);
    await vault.answer({ fail: 'unavailable' });
    vault.clock.advance(FAILURE_MS);
    expect(now(secret)).toBe('first');
    await vault.answer('second');
    expect(now(secret)).toBe('second');
  });

  it.each<VaultFailure>(['not_found', 'denied'])('ends at once when the vault says %s', async (fail) => {
    const vault = new HeldVault();
    const secret = await primed(vault);
    vault.clock.advance(TTL_MS * 0.9);
    expect(now(secret)).toBe('first');
    await vault.answer({ fail });
    expect(() => now(secret)).toThrow(expect.objectContaining({ code: fail }) as Error);
    vault.clock.advance(FAILURE_MS);
    const again = now(secret);
    await vault.answer('back');
    expect([await again, vault.failures]).toEqual(['back', [fail]]);
  });

  it('goes on, up to the same bound, while the host does not let the vault be asked, and cannot be read at first', async () => {
    const vault = new HeldVault();
    const refusal = { fail: 'denied', isOfHost: true } as const;
    const unread = Promise.resolve(now(vault.secret())).catch((error: unknown) => error);
    await vault.answer(refusal);
    expect(await unread).toMatchObject({ code: 'denied' });
    const secret = await primed(vault);
    vault.clock.advance(TTL_MS);
    const waited = now(secret);
    await vault.answer(refusal);
    expect([await waited, now(secret)]).toEqual(['first', 'first']);
    vault.clock.advance(STALE_MS_MAX);
    const late = Promise.resolve(now(secret)).catch((error: unknown) => error);
    await vault.answer(refusal);
    expect(await late).toMatchObject({ code: 'denied' });
  });

  it('is asked for again only after a pause when it could not be read', async () => {
    const vault = new HeldVault();
    const secret = vault.secret();
    const first = Promise.resolve(now(secret)).catch((error: unknown) => error);
    await vault.answer({ fail: 'unavailable' });
    expect(await first).toMatchObject({ code: 'unavailable' });
    expect(() => now(secret)).toThrow(VaultError);
    vault.clock.advance(FAILURE_MS - 1);
    expect(() => now(secret)).toThrow(VaultError);
    expect(vault.asked).toBe(1);
    vault.clock.advance(1);
    const next = now(secret);
    await vault.answer('there');
    expect(await next).toBe('there');
  });

  it('that may not be kept is read for each request, and never goes on', async () => {
    const vault = new HeldVault();
    const secret = await primed(vault, 0);
    const second = now(secret);
    await vault.answer('second');
    expect(await second).toBe('second');
    const third = Promise.resolve(now(secret)).catch((error: unknown) => error);
    await vault.answer({ fail: 'unavailable' });
    expect(await third).toMatchObject({ code: 'unavailable' });
  });

  it('lets one who gives up go, and the others have it', async () => {
    const vault = new HeldVault();
    const secret = vault.secret();
    const giveUp = new AbortController();
    const impatient = Promise.resolve(secret.value(undefined, giveUp.signal)).catch((error: unknown) => error);
    const patient = secret.value(undefined, new AbortController().signal);
    giveUp.abort();
    expect(await impatient).toMatchObject({ code: 'unavailable' });
    await vault.answer('first');
    expect(await patient).toBe('first');
    const late = vault.secret().value(undefined, giveUp.signal);
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is refused when too many reads are under way, and read once there is room', async () => {
    const vault = new HeldVault();
    vault.reads.underWay = READS_MAX;
    const secret = vault.secret();
    await expect(now(secret)).rejects.toMatchObject({ code: 'unavailable' });
    vault.reads.underWay = 0;
    vault.clock.advance(FAILURE_MS);
    const next = now(secret);
    await vault.answer('first');
    expect([await next, vault.asked]).toEqual(['first', 1]);
  });

  it('hides what a driver throws that is no failure of ours', async () => {
    const vault = new HeldVault();
    const read = (): Promise<SecretContent> => Promise.reject(new SyntaxError('unexpected token in canary'));
    const { reads, clock } = vault;
    const onFailure = (): void => undefined;
    const ports = { vault: 'v', driver: { read }, ttlMs: 1, reads, monotonicMs: clock.monotonicMs, onFailure };
    const error: unknown = await Promise.resolve(now(new KeptSecret('a', ports))).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unavailable', message: expect.not.stringContaining('canary') as unknown });
  });
});
