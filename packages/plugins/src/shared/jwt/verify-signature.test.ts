import { describe, expect, it } from 'vitest';
import { makeKey, makeToken } from '../../testing/tokens.ts';
import { CHECKS_WAITING_MAX, SignatureChecks } from './verify-signature.ts';

const { privateKey, publicKey: key } = makeKey('p256');
const text = makeToken({ alg: 'ES256' }, {}, privateKey, 'ES256');
const token = { text, algorithm: 'ES256', kid: undefined, header: {}, claims: {} };
const good = { key, algorithms: ['ES256'] };

describe('SignatureChecks', () => {
  it('tries a key with its own algorithms only', async () => {
    const checks = new SignatureChecks();
    expect(await checks.signingKey(token, [{ key, algorithms: ['ES384'] }])).toBeUndefined();
    expect(await checks.signingKey(token, [{ key, algorithms: [] }, good])).toBe(good);
  });

  it('lets some wait, checks further ones on the spot, and lets others wait when those are done', async () => {
    const checks = new SignatureChecks();
    const waiting = Array.from({ length: CHECKS_WAITING_MAX }, async () => await checks.signingKey(token, [good]));
    expect(checks.signingKey(token, [good])).toBe(good);
    expect(checks.signingKey({ ...token, text: `${text.slice(0, -4)}AAAA` }, [good])).toBeUndefined();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([good]));
    const later = checks.signingKey(token, [good]);
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toBe(good);
  });
});
