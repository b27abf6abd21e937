import { join } from 'node:path';
import Database from 'better-sqlite3';
import { scratchFolder } from '../machine/scratch-folder.ts';
import { charactersOf, tablesOfCreate } from './database-place.ts';
import type { DatabasePlace } from './database-place.ts';

const firstRow = 1;

/** A SQLite file in a folder of its own; the bare rows go into another file of that folder, opened with the same settings. */
export async function sqlitePlace(): Promise<DatabasePlace> {
  const folder = await scratchFolder();
  const path = join(folder.path, 'portcullis.db');
  const bare = new Database(join(folder.path, 'bare.db'));
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = FULL');
  bare.exec('create table bare (id integer primary key, payload text not null) strict');
  const insert = bare.prepare('insert into bare (id, payload) values (?, ?)');
  let next = firstRow;
  return {
    kind: 'sqlite',
    url: `sqlite:${path}`,
    rowCharacters: async (id) => {
      const reader = new Database(path, { readonly: true });
      try {
        const rows = tablesOfCreate.flatMap(([table, column]) =>
          reader.prepare(`select * from ${table} where ${column} = ?`).all(id),
        );
        return charactersOf(rows as Record<string, unknown>[]);
      } finally {
        reader.close();
      }
    },
    insertRows: async (rows, characters) => {
      const payload = 'x'.repeat(characters);
      const startMs = performance.now();
      for (let row = 0; row < rows; row += 1) insert.run(next++, payload);
      return (performance.now() - startMs) / 1000;
    },
    async [Symbol.asyncDispose]() {
      bare.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
