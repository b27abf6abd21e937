import { randomBytes } from 'node:crypto';
import { FakeClock } from '@portcullis/testkit';
import { decodeProtectedHeader } from 'jose';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createAuditLog } from '../audits/records/audit-log.ts';
import { type DatabaseUnderTest, describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { systemActor } from '../resources/actor.ts';
import { createRevisions } from '../revisions/revisions.ts';
import { parseKeyRing } from '../secrets/key-ring.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { secretKeys, silentLog } from '../testing/test-service.test-support.ts';
import { accessTokenSeconds, type AccessTokens, createAccessTokens } from './access-tokens.ts';
import { overlapMs, rotateAgedSigningKeys, rotateSigningKeys, signingKeyLifetimeMs } from './rotate-signing-keys.ts';
import { createSigningKeys, type SigningKeys, signingKeyTimes } from './signing-keys.ts';

const claims = { sessionId: 'session', userId: 'user' };

/** One process of the service, as far as access tokens go: it knows of the others through the database alone. */
interface Replica {
  readonly keys: SigningKeys;
  readonly tokens: AccessTokens;
  rotate(revokePrevious?: boolean): Promise<unknown>;
  rotateAged(): Promise<boolean>;
}

describeOnEachDatabase('rotation of the signing keys', (context) => {
  let clock: FakeClock;
  let database: Database;
  const opened: { database: Database; place: DatabaseUnderTest }[] = [];
  beforeEach(async () => {
    clock = new FakeClock();
    const place = await context.fresh();
    database = await openDatabase({ url: place.url, log: silentLog });
    opened.push({ database, place });
  });
  afterAll(async () => {
    for (const one of opened) {
      await one.database.close();
      await one.place.remove();
    }
  });

  /** @param hearsChanges whether notices of other replicas' changes get through */
  const replica = ({ hearsChanges }: { hearsChanges: boolean }): Replica => {
    const ring = parseKeyRing(secretKeys);
    if (!ring.ok) throw new Error('unreachable');
    const own: Database = hearsChanges
      ? database
      : { ...database, read: database.read, subscribe: () => () => undefined };
    const parts = {
      database: own,
      audit: createAuditLog({ ids: uuidv7, clock }),
      revisions: createRevisions({ clock, database, gatewayOf: () => undefined }),
      secrets: createSecretBox({ keyRing: ring.keyRing, database, clock }),
      nowMs: clock.nowMs,
      random: randomBytes,
    };
    const keys = createSigningKeys(parts);
    return {
      keys,
      tokens: createAccessTokens(keys, clock.nowMs),
      rotate: (revokePrevious = false) => rotateSigningKeys(parts, systemActor('test'), { revokePrevious }),
      rotateAged: () => rotateAgedSigningKeys(parts),
    };
  };
  const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? '';
  const kids = async ({ keys }: Replica): Promise<unknown[]> => (await keys.publicKeys()).map(({ kid }) => kid);

  it.each([true, false])(
    'refuses no good token on any replica, whichever signed it and whenever (notices get through: %s)',
    async (hearsChanges) => {
      const replicas = [replica({ hearsChanges }), replica({ hearsChanges }), replica({ hearsChanges })];
      const live: { token: string; untilMs: number }[] = [];
      const used = new Set<string>();
      let refused = 0;
      const stepMs = 250;
      for (let step = 0; step < 280; step += 1) {
        // Made-up keys make each replica read the keys at moments of its own, some just before a rotation.
        await replicas[step % 4]?.keys.verifier(`made-up-${step}`);
        if (step % 60 === 31) await replicas[step % replicas.length]?.rotate();
        const signed = await Promise.all(replicas.map(({ tokens }) => tokens.issue(claims)));
        for (const token of signed) {
          used.add(kidOf(token));
          live.push({ token, untilMs: clock.nowMs() + accessTokenSeconds * 1000 });
        }
        // Those that were just signed, by each other, and a sample of the rest.
        const asked = [...signed, ...live.filter((_, index) => index % 97 === step % 97).map(({ token }) => token)];
        for (const { tokens } of replicas) {
          for (const token of asked) if (!(await tokens.verify(token))) refused += 1;
        }
        clock.advance(stepMs);
      }
      expect(refused).toBe(0);
      expect(used.size).toBe(5);
      // The very last moment of the first tokens.
      clock.setWall((live[0]?.untilMs ?? 0) - 1_000);
      for (const { tokens } of replicas) expect(await tokens.verify(live[0]?.token ?? '')).toEqual(claims);
    },
  );

  it('keeps a superseded key until the last token of it is over, and publishes those that verify', async () => {
    const [one, other] = [replica({ hearsChanges: true }), replica({ hearsChanges: false })];
    const old = await one.tokens.issue(claims);
    await one.rotate();
    clock.advance(signingKeyTimes.rereadMs);
    expect(await kids(one)).toHaveLength(2);
    // What was superseded signs until every replica knows the new one.
    clock.advance(signingKeyTimes.verifyOnlyMs - signingKeyTimes.rereadMs - 1);
    expect(kidOf(await other.tokens.issue(claims))).toBe(kidOf(old));
    clock.advance(2);
    const last = old;
    const fresh = await other.tokens.issue(claims);
    expect(kidOf(fresh)).not.toBe(kidOf(last));
    clock.advance(accessTokenSeconds * 1000 - signingKeyTimes.verifyOnlyMs - 2);
    expect(await other.tokens.verify(last)).toEqual(claims);
    clock.advance(overlapMs - accessTokenSeconds * 1000 + 1 + signingKeyTimes.rereadMs);
    for (const each of [one, other]) expect(await kids(each)).toEqual([kidOf(fresh)]);
    await one.rotate();
    const rows = await database.read.selectFrom('signing_keys').select('kid').execute();
    expect(rows.map(({ kid }) => kid)).not.toContain(kidOf(old));
  });

  it('revokes at once what it supersedes, where it is told to, and on every replica within 5 s', async () => {
    const [one, deaf] = [replica({ hearsChanges: true }), replica({ hearsChanges: false })];
    const tokens = [await one.tokens.issue(claims), await deaf.tokens.issue(claims)];
    await one.rotate();
    for (const token of tokens) for (const each of [one, deaf]) expect(await each.tokens.verify(token)).toEqual(claims);
    await one.rotate(true);
    clock.advance(5_000);
    for (const each of [one, deaf]) {
      for (const token of tokens) expect(await each.tokens.verify(token)).toBeUndefined();
      expect(await kids(each)).toHaveLength(1);
      const next = await each.tokens.issue(claims);
      for (const reader of [one, deaf]) expect(await reader.tokens.verify(next)).toEqual(claims);
    }
  });

  it('happens by age, once for all replicas, and is recorded', async () => {
    const replicas = [replica({ hearsChanges: true }), replica({ hearsChanges: true })];
    expect(await replicas[0]?.rotateAged()).toBe(false);
    await replicas[0]?.keys.signer();
    clock.advance(signingKeyLifetimeMs - 1);
    expect(await Promise.all(replicas.map((each) => each.rotateAged()))).toEqual([false, false]);
    clock.advance(1);
    const done = await Promise.all(replicas.map((each) => each.rotateAged()));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await Promise.all(replicas.map((each) => each.rotateAged()))).toEqual([false, false]);
    const records = await database.read
      .selectFrom('audit_records')
      .selectAll()
      .where('action', '=', 'rotate')
      .execute();
    expect(records).toMatchObject([{ tenant_id: '', actor_username: 'system', entity_type: 'signing_key' }]);
    expect(records[0]?.canonical).not.toMatch(/"d"|private/);
  });

  it('is read once for many who ask at the same time, and no oftener for made-up key IDs', async () => {
    let reads = 0;
    const { keys } = replica({ hearsChanges: true });
    await keys.signer();
    clock.advance(signingKeyTimes.rereadMs);
    const { read } = database;
    const counted = new Proxy(read, {
      get(target, name: keyof typeof read) {
        if (name === 'selectFrom') reads += 1;
        const value: unknown = target[name];
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const ring = parseKeyRing(secretKeys);
    if (!ring.ok) throw new Error('unreachable');
    const secrets = createSecretBox({ keyRing: ring.keyRing, database, clock });
    const watched: Database = { ...database, read: counted, subscribe: (listener) => database.subscribe(listener) };
    const revisions = createRevisions({ clock, database, gatewayOf: () => undefined });
    const busy = createSigningKeys({ database: watched, revisions, secrets, nowMs: clock.nowMs, random: randomBytes });
    await Promise.all(Array.from({ length: 50 }, () => busy.signer()));
    expect(reads).toBe(1);
    await Promise.all(Array.from({ length: 50 }, (_, index) => busy.verifier(`made-up-${index}`)));
    expect(reads).toBe(1);
    clock.advance(signingKeyTimes.rereadForUnknownMs);
    await Promise.all(Array.from({ length: 50 }, (_, index) => busy.verifier(`made-up-${index}`)));
    expect(reads).toBe(2);
  });
});
