import { describe, expect, it } from 'vitest';
import { openIdentityWorld } from './identity.test-support.ts';

describe('signing keys', () => {
  it('are published without their private part', async () => {
    await using world = await openIdentityWorld();
    const { kid } = await world.identity.keys.signer();
    const response = await fetch(`${world.url}/.well-known/jwks.json`);
    const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
    expect(keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.any(String) as unknown,
        kid,
        alg: 'EdDSA',
        use: 'sig',
      },
    ]);
  });

  it('lie sealed in the database', async () => {
    await using world = await openIdentityWorld();
    await world.identity.keys.signer();
    const [row] = await world.database.read.selectFrom('signing_keys').selectAll().execute();
    expect(row?.private_jwk).not.toContain('"d"');
  });

  it('two replicas that start at once on an empty database accept each other', async () => {
    await using fresh = await openIdentityWorld();
    const [first, second] = [fresh.replica(), fresh.replica()];
    const signers = await Promise.all([first.keys.signer(), second.keys.signer()]);
    fresh.clock.advance(2_000);
    for (const { kid } of signers) {
      expect(await first.keys.verifier(kid)).toBeDefined();
      expect(await second.keys.verifier(kid)).toBeDefined();
    }
    const restarted = await Promise.all([fresh.replica().keys.signer(), fresh.replica().keys.signer()]);
    expect(restarted[0]?.kid).toBe(restarted[1]?.kid);
  });
});
