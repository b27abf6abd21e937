import { parentPort, workerData } from 'node:worker_threads';
import { SqliteSession } from './sqlite/sqlite-session.ts';
import type { SqliteFailure, SqliteReply, SqliteRequest, SqliteWorkerSettings } from './sqlite/worker-protocol.ts';

/** The thread that holds one SQLite connection. better-sqlite3 blocks its thread, so it must not be the main one. */
function main(): void {
  const port = parentPort;
  if (port === null) throw new Error('this file runs as a worker thread');
  const reply = (message: SqliteReply): void => port.postMessage(message);
  let session: SqliteSession;
  try {
    session = new SqliteSession(workerData as SqliteWorkerSettings);
  } catch (error) {
    reply({ kind: 'failed', failure: describe(error) });
    return;
  }
  port.on('message', ({ id, commands }: SqliteRequest) => {
    try {
      reply({ kind: 'result', id, result: session.handle(commands) });
    } catch (error) {
      reply({ kind: 'error', id, failure: describe(error) });
    }
    if (commands.at(-1)?.kind === 'close') port.close();
  });
  reply({ kind: 'open' });
}

function describe(error: unknown): SqliteFailure {
  if (!(error instanceof Error)) return { databaseCode: 'UNKNOWN', message: String(error) };
  const code: unknown = 'code' in error ? error.code : undefined;
  return { databaseCode: typeof code === 'string' ? code : error.name, message: error.message };
}

main();
