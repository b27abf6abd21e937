import { temporaryFolder } from '@portcullis/testkit';
import type { TenantRow } from '@portcullis/testkit';
import Database from 'better-sqlite3';
import type { DatabasePlace } from './database-place.ts';

/** A file in a temporary folder. Each look opens it anew, as whatever starts after a crash does. */
export async function sqlitePlace(): Promise<DatabasePlace> {
  const folder = await temporaryFolder();
  const path = folder.join('portcullis.db');
  const look = <Result>(at: (database: Database.Database) => Result): Promise<Result> => {
    const database = new Database(path, { timeout: 30_000 });
    try {
      return Promise.resolve(at(database));
    } finally {
      database.close();
    }
  };
  return {
    url: `sqlite:${path}`,
    tenantTables: () =>
      look((database) =>
        database
          .prepare<[], { name: string }>(
            `select m.name as name from sqlite_master m join pragma_table_info(m.name) c on c.name = 'tenant_id'
             where m.type = 'table' order by m.name`,
          )
          .all()
          .map(({ name }) => name),
      ),
    rowsOf: (table, tenantId) =>
      look((database) =>
        database.prepare<[string], TenantRow>(`select * from "${table}" where tenant_id = ?`).all(tenantId),
      ),
    settle: () => Promise.resolve(),
    damage: () =>
      look((database) => {
        const integrity = database.pragma('integrity_check') as { integrity_check: string }[];
        const broken = database.pragma('foreign_key_check') as { table: string; parent: string }[];
        return [
          ...integrity.map((line) => line.integrity_check).filter((text) => text !== 'ok'),
          ...broken.map(({ table, parent }) => `a row of ${table} refers to nothing in ${parent}`),
        ];
      }),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}
