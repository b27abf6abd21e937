import { appendFile, writeFile } from 'node:fs/promises';
import { createSigner, parseVerifierKey, privateKeyFromSeed } from '@portcullis/audit-chain';
import { FakeClock, temporaryFolder } from '@portcullis/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { AuditCheckpointRow } from '../../database/audit-tables.ts';
import type { Database } from '../../database/database.ts';
import { describeOnEachDatabase, silentLog } from '../../database/each-database.test-support.ts';
import { openDatabase } from '../../database/open-database.ts';
import { sequencerOn, someEntry, write } from '../chain/chain-world.test-support.ts';
import { headOf } from '../operations/chain-port.ts';
import { anchorLine } from './anchors/anchor.ts';
import { readAnchorFile } from './anchors/adapters/anchored-checkpoints.ts';
import { type CheckpointerParts, createCheckpointer } from './checkpointer.ts';
import { newestCheckpoint } from './stored-checkpoints.ts';

const signer = createSigner('audit.example.com', privateKeyFromSeed(Buffer.alloc(32, 1)));
const stranger = createSigner('other.example.com', privateKeyFromSeed(Buffer.alloc(32, 2)));

describeOnEachDatabase('the checkpointer', ({ fresh, dialect }) => {
  const withLog = async (work: (world: ReturnType<typeof worldOf>) => Promise<void>): Promise<void> => {
    const place = await fresh();
    const database = await openDatabase({ url: place.url, log: silentLog });
    try {
      await work(worldOf(database));
    } finally {
      await database.close();
      await place.remove();
    }
  };
  const worldOf = (database: Database) => {
    const clock = new FakeClock();
    const checkpoints: AuditCheckpointRow[] = [];
    const run = (...statements: readonly string[]): Promise<void> =>
      database.transaction(async (transaction) => {
        for (const statement of statements) await sql.raw(statement).execute(transaction);
      });
    return {
      database,
      clock,
      checkpoints,
      run,
      checkpointer: (parts: Partial<CheckpointerParts> = {}) =>
        createCheckpointer({
          database,
          signer,
          nowMs: clock.nowMs,
          log: silentLog,
          onSigned: (one) => void checkpoints.push(one),
          ...parts,
        }),
      add: async (...tenantIds: readonly string[]) => {
        await write(database, ...tenantIds.map((tenantId) => someEntry(tenantId)));
        await sequencerOn(database).chainAll();
      },
      signedOf: async (chain: string) => (await newestCheckpoint(database.read, chain))?.size ?? 0,
      /** Whoever owns the database takes its guards away first. */
      unguard: () =>
        run(
          ...['audit_records_linked', 'audit_records_kept', 'audit_heads_forward', 'audit_checkpoints_kept'].map(
            (name) =>
              dialect === 'postgres'
                ? `drop trigger if exists ${name} on ${name.replace(/_[a-z]+$/, '')}`
                : `drop trigger if exists ${name}`,
          ),
        ),
    };
  };

  it("signs tenants' logs in their time, however often the one over all is signed because somebody asks", () =>
    withLog(async ({ checkpointer, clock, add, signedOf }) => {
      const one = checkpointer();
      await one.run();
      for (let second = 0; second < 11; second += 1) {
        await add('acme', 'globex', '');
        expect((await one.upToDate('global'))?.size).toBe((second + 1) * 3);
        clock.advance(1_000);
        await one.run();
      }
      const sizes = await Promise.all(['tenant:acme', 'tenant:globex', 'tenant:'].map(signedOf));
      for (const size of sizes) expect(size).toBeGreaterThan(0);
      // After the last write they are all signed once more, and then there is nothing to do.
      clock.advance(10_000);
      await one.run();
      expect(await Promise.all(['tenant:acme', 'tenant:globex', 'tenant:'].map(signedOf))).toEqual([11, 11, 11]);
    }));

  it('goes on where a run ended, by its bound or by a failure, also in another process', () =>
    withLog(async ({ database, checkpointer, add, signedOf, checkpoints }) => {
      await add('a', 'b', 'c', 'd', 'e');
      const bounded = checkpointer({ chainsPerRun: 2 });
      await bounded.run();
      expect(checkpoints.map(({ chain }) => chain)).toEqual(['global', 'tenant:a', 'tenant:b']);
      let left = 1;
      const failing = checkpointer({
        database: {
          ...database,
          read: database.read,
          transaction: (work) => (left-- > 0 ? database.transaction(work) : Promise.reject(new Error('gone'))),
        },
      });
      await expect(failing.run()).rejects.toThrow('gone');
      expect(await signedOf('tenant:c')).toBe(1);
      await bounded.run();
      await bounded.run();
      expect(checkpoints.map(({ chain }) => chain).slice(3)).toEqual(['tenant:c', 'tenant:d', 'tenant:e']);
    }));

  it('signs no second history of a log that it signed, although the database knows nothing of the first', () =>
    withLog(async ({ database, checkpointer, clock, add, run, unguard, checkpoints }) => {
      const [one, other] = [checkpointer(), checkpointer()];
      await add('acme', 'acme', 'acme');
      await one.upToDate('global');
      const early = await headOf(database.read, 'global');
      await add('acme', 'acme');
      await one.upToDate('global');
      // What another replica signed is known to this one, too.
      await other.run();
      expect(other.latestGlobal()?.size).toBe(5);
      await unguard();
      await run(
        `delete from audit_checkpoints`,
        `delete from audit_records where global_sequence > 3`,
        `update audit_heads set sequence = 3, hash = '${early.hash}', subtree_hashes = '${early.subtree_hashes}'
          where chain = 'global'`,
      );
      for (const each of [one, other]) {
        await expect(each.upToDate('global')).rejects.toThrow('shorter than the checkpoint');
        expect(await each.refusalOf('global')).toMatchObject({ kind: 'tail_deleted' });
        expect(await each.refusalOf('tenant:acme')).toMatchObject({ kind: 'tail_deleted' });
      }
      clock.advance(60_000);
      await one.run();
      expect(checkpoints.map(({ chain, size }) => [chain, size])).toEqual([
        ['global', 3],
        ['global', 5],
        ['tenant:acme', 5],
      ]);
      expect([...one.refusedChains()]).toEqual(['global']);
    }));

  it('believes no stored checkpoint that nobody signed', () =>
    withLog(async ({ checkpointer, add, run, unguard }) => {
      await add('acme', 'acme');
      await checkpointer().upToDate('global');
      await unguard();
      await run(`insert into audit_checkpoints (chain, size, root, note, created_at)
        select chain, size - 1, root, note, created_at from audit_checkpoints`);
      await add('acme');
      // The largest is what was signed.
      expect((await checkpointer().upToDate('global'))?.size).toBe(3);
      await run(`insert into audit_checkpoints (chain, size, root, note, created_at)
        select chain, 4, root, note, created_at from audit_checkpoints where size = 3`);
      await add('acme', 'acme');
      await expect(checkpointer().upToDate('global')).rejects.toThrow('was not signed so');
    }));

  it('reads of an anchor file what each chain has to continue, and what is not of its log', () =>
    withLog(async ({ checkpointer, add, checkpoints }) => {
      const folder = await temporaryFolder();
      try {
        const file = folder.join('anchor');
        const verifiers = [parseVerifierKey(signer.verifierKey)];
        expect(await readAnchorFile(file, verifiers)).toMatchObject({ foreign: 0, forked: 0 });
        const one = checkpointer();
        for (const size of [1, 2, 3]) {
          await add('acme');
          expect((await one.upToDate('global'))?.size).toBe(size);
        }
        const [first, second, third] = checkpoints.map(anchorLine);
        // Another replica's line may come later, and a crash may have broken one off.
        await writeFile(file, [first, third, second, first?.slice(0, 20), ''].join('\n'));
        const read = await readAnchorFile(file, verifiers);
        expect(read).toMatchObject({ foreign: 0, forked: 0 });
        expect(read.heads.get('global')?.map(({ size }) => size)).toEqual([3, 1, 2]);
        const anchored = checkpointer({ anchored: read.heads });
        expect((await anchored.upToDate('global'))?.size).toBe(3);
        await appendFile(file, third?.replace('"global"', '"tenant:acme"') ?? '');
        expect(await readAnchorFile(file, verifiers)).toMatchObject({ foreign: 1 });
        expect(await readAnchorFile(file, [parseVerifierKey(stranger.verifierKey)])).toMatchObject({ foreign: 4 });
      } finally {
        await folder.remove();
      }
    }));
});
