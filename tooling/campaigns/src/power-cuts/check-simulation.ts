import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import type { TemporaryFolder } from '@portcullis/testkit';
import Database from 'better-sqlite3';
import { cutPower, durableEnvironment } from './durable-files.ts';

const writer = fileURLToPath(new URL('./unsynced-writer.entry.ts', import.meta.url));
/** Commits before the cut. */
const rowsMin = 200;

/**
 * Shows that the simulation can find something: a writer that syncs each commit loses nothing in a cut, one that does not loses
 * what it said it had. @throws Error when it is not so
 */
export async function checkSimulation(library: string, folder: TemporaryFolder): Promise<void> {
  const full = await lostIn(library, folder, 'FULL');
  if (full !== 0) throw new Error(`a writer that syncs each commit lost ${full} of them: the simulation is wrong`);
  const unsynced = await lostIn(library, folder, 'NORMAL');
  if (unsynced === 0)
    throw new Error('a writer that does not sync its commits lost none: the simulation finds nothing');
}

/** Acknowledged commits that a cut took. */
async function lostIn(library: string, folder: TemporaryFolder, synchronous: 'FULL' | 'NORMAL'): Promise<number> {
  const path = folder.join(`simulation-${synchronous}.db`);
  const said = (text: string): number => Number(text.split('\n').at(-2) ?? 0);
  const running = await startProcess({
    args: ['--conditions=@portcullis/source', writer, path, synchronous],
    env: durableEnvironment(library, folder.path),
    readyWhen: (child) => said(child.stdout()) >= rowsMin,
  });
  await running.kill('SIGKILL');
  await cutPower(path);
  const database = new Database(path);
  try {
    const isThere = database.prepare("select 1 from sqlite_master where name = 'rows'").get() !== undefined;
    const kept = isThere ? database.prepare<[], { n: number }>('select count(*) as n from rows').get()?.n : 0;
    return Math.max(0, said(running.stdout()) - (kept ?? 0));
  } finally {
    database.close();
  }
}
