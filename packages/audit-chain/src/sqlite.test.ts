import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createLog } from './index.ts';
import { createSqliteStorage } from './sqlite.ts';
import { ORIGIN, SIGNER } from './testing/sample-log.test-support.ts';

it('leaves a transaction of somebody else as it is, and fails', async () => {
  const database = new Database(':memory:');
  const storage = createSqliteStorage(database);
  const log = createLog({ storage, origin: ORIGIN, signer: SIGNER, salt: () => '0'.repeat(32) });
  database.exec('CREATE TABLE mine (n INTEGER); BEGIN; INSERT INTO mine VALUES (1)');
  await expect(log.append([{ tenantId: '', record: { n: 1 } }])).rejects.toThrow('transaction');
  database.exec('COMMIT');
  expect(database.prepare('SELECT n FROM mine').all()).toEqual([{ n: 1 }]);
  expect(await log.append([{ tenantId: '', record: { n: 1 } }])).toHaveLength(1);
  database.close();
});

it('takes no prefix that could say something else to the database', () => {
  expect(() => createSqliteStorage(new Database(':memory:'), 'x; drop table y')).toThrow('a prefix of tables');
});
