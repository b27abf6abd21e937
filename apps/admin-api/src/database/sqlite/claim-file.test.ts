import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../each-database.test-support.ts';
import { openDatabase } from '../open-database.ts';
import { MIGRATION_TABLE } from '../migrations/migrate.ts';
import { claimDatabase } from './claim-file.ts';

describe('a SQLite file', () => {
  it('has one control plane at a time, and a new one when that is gone', async () => {
    await using folder = await temporaryFolder();
    const url = `sqlite:${folder.join('p.db')}`;
    const release = claimDatabase(url);
    expect(() => claimDatabase(url)).toThrow('another process uses this SQLite file');
    release();
    claimDatabase(url)();
  });

  it('needs a folder that can be written', async () => {
    await using folder = await temporaryFolder();
    expect(() => claimDatabase(`sqlite:${folder.join('no', 'such', 'p.db')}`)).toThrow('cannot be written');
  });

  it('that a newer release has changed is left alone, and the reason is said', async () => {
    await using folder = await temporaryFolder();
    const url = `sqlite:${folder.join('p.db')}`;
    const database = await openDatabase({ url, log: silentLog });
    await database.transaction((transaction) =>
      transaction
        .insertInto(MIGRATION_TABLE as never)
        .values({ name: '9999-future', timestamp: '2030-01-01T00:00:00.000Z' } as never)
        .execute(),
    );
    await database.close();
    await expect(openDatabase({ url, log: silentLog })).rejects.toThrow('newer release');
  });
});
