import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { expectWhole, sequencerOn } from '../audits/chain/chain-world.test-support.ts';
import { describeOnEachDatabase } from './each-database.test-support.ts';

const KILLS = 4;
const child = fileURLToPath(new URL('./commit-loop.test-support.ts', import.meta.url));

describeOnEachDatabase('a process killed while it commits', ({ database, url }) => {
  it('loses no acknowledged write, and leaves record, key, audit record and change together or not at all, and the chain whole', async () => {
    const acknowledged = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const writer = await startProcess({
        args: ['--conditions=@portcullis/source', child, url()],
        readyWhen: (running) => lines(running.stdout()).length >= 20 * (kill + 1),
      });
      await writer.kill('SIGKILL');
      for (const id of lines(writer.stdout())) acknowledged.add(id);
    }
    const { read } = database();
    const stored = idsOf(await read.selectFrom('resources').select('id').execute());
    const keyed = idsOf(await read.selectFrom('resource_keys').select('id').execute());
    const audited = idsOf(await read.selectFrom('audit_records').select('entity_id as id').execute());
    const changes = await read.selectFrom('changes').select(['id', 'revision']).orderBy('revision').execute();
    expect([...acknowledged].filter((id) => !stored.includes(id))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThanOrEqual(20 * KILLS);
    expect(keyed).toEqual(stored);
    expect(audited).toEqual(stored);
    expect(idsOf(changes)).toEqual(stored);
    expect(changes.map((change) => change.revision)).toEqual(stored.map((_id, index) => index + 1));
    const { revision } = await read.selectFrom('tenant_revisions').select('revision').executeTakeFirstOrThrow();
    expect(revision).toBe(stored.length);
    await sequencerOn(database()).chainAll();
    expect(await expectWhole(database(), ['acme'])).toBe(stored.length);
  }, 60_000);
});

/** Whole lines only: the last one may have been cut by the kill. */
function lines(text: string): string[] {
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => /^[0-9a-f-]{36}$/.test(line));
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map((row) => row.id).toSorted();
}
