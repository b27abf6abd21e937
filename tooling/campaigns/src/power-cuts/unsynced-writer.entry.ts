/** Writes rows and prints each number once it is committed, until it is killed. Arguments: the file, and `PRAGMA synchronous`. */
import Database from 'better-sqlite3';

const [path = '', synchronous = 'FULL'] = process.argv.slice(2);
const database = new Database(path);
database.pragma('journal_mode = WAL');
database.pragma(`synchronous = ${synchronous}`);
database.exec('create table if not exists rows (number integer primary key)');
const insert = database.prepare<[number]>('insert into rows values (?)');
for (let number = 1; ; number += 1) {
  insert.run(number);
  process.stdout.write(`${number}\n`);
}
