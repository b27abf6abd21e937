import { eventually, startProcess, type RunningProcess } from '@portcullis/testkit';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretKeys, password } from '../../testing/test-service.test-support.ts';
import { DatabaseUnavailableError } from '../database-errors.ts';
import { type DatabaseUnderTest, freshPostgres, silentLog } from '../each-database.test-support.ts';
import { openDatabase } from '../open-database.ts';
import type { Tables } from '../tables.ts';

const main = ['--conditions=@portcullis/source', new URL('../../main.ts', import.meta.url).pathname];
const writers = 8;

const serverUrl = process.env['PORTCULLIS_TEST_POSTGRES_URL'];

describe.skipIf(serverUrl === undefined)('connections that the server ends (PORTCULLIS_TEST_POSTGRES_URL)', () => {
  let place: DatabaseUnderTest | undefined;
  const url = (): string => place?.url ?? '';

  beforeAll(async () => {
    place = await freshPostgres(serverUrl ?? '');
  });
  afterAll(() => place?.remove());

  it('fail the transaction that has one between two statements, and nothing else', async () => {
    const lost: unknown[] = [];
    const log = { ...silentLog, warn: (facts: object) => lost.push(facts) };
    const database = await openDatabase({ url: url(), log });
    try {
      const attempt = database.transaction(async (transaction) => {
        await transaction.insertInto('tenant_revisions').values({ tenant_id: 'cut', revision: 1 }).execute();
        await endBackend(database.read, await backendOf(transaction));
        await eventually(() => lost.length > 0);
        await sql`select 1`.execute(transaction);
      });
      await expect(attempt).rejects.toBeInstanceOf(DatabaseUnavailableError);
      expect(lost).toContainEqual({ reason: expect.stringContaining('terminating connection'), access: 'write' });
      const snapshot = database.snapshot(async (executor) => {
        const seen = lost.length;
        await endBackend(database.read, await backendOf(executor));
        await eventually(() => lost.length > seen);
        return 'the rest needs no database';
      });
      await expect(snapshot).rejects.toBeInstanceOf(DatabaseUnavailableError);
      const rows = await database.read.selectFrom('tenant_revisions').selectAll().execute();
      expect(rows).toEqual([]);
      expect(await database.transaction(async () => 'works')).toBe('works');
    } finally {
      await database.close();
    }
  });

  it(
    'cost the requests in flight a 503 each, and neither the process nor an acknowledged write',
    { timeout: 60_000 },
    async () => {
      await using child = await startProcess({
        args: main,
        env: {
          PORTCULLIS_SECRET_KEYS: secretKeys,
          PORTCULLIS_ADMIN_PORT: '0',
          PORTCULLIS_ADMIN_PASSWORD: password,
          PORTCULLIS_DATABASE_URL: url(),
        },
        readyWhen: (running) => urlOf(running) !== undefined,
      });
      const server = new pg.Client({ connectionString: url().replace(/\/[^/]+$/, '/postgres') });
      await server.connect();
      const name = decodeURIComponent(new URL(url()).pathname.slice(1));
      const call = caller(urlOf(child) ?? '');
      const login = await call('/auth/login', { username: 'admin', password });
      const token = (JSON.parse(login.text) as { access_token: string }).access_token;
      expect((await call('/api/v1/admin/tenants', { name: 'Acme', slug: 'acme' }, token)).status).toBe(201);

      const written: string[] = [];
      const failed: Answer[] = [];
      const over = new AbortController();
      const write = async (writer: number): Promise<void> => {
        for (let index = 0; !over.signal.aborted && child.running(); index += 1) {
          const gateway = `w${writer}-${index}`;
          const answer = await call('/api/v1/admin/gateways', { tenant_id: 'acme', name: gateway }, token).catch(
            noAnswer,
          );
          if (answer.status === 201) written.push(gateway);
          else failed.push(answer);
        }
      };
      const writing = Array.from({ length: writers }, (_, writer) => write(writer));
      const writesMore = async (): Promise<void> => {
        const before = written.length;
        await eventually(() => written.length > before + writers);
      };
      try {
        await writesMore();
        // One after another, as an operator or a failover does it: idle ones, ones inside a transaction, the one that listens.
        for (let round = 0; round < 5; round += 1) {
          await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
          await writesMore();
        }
        // And for a while there is no server at all.
        await server.query(`alter database ${name} allow_connections false`);
        const before = failed.length;
        await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
        await eventually(() => failed.length > before + writers);
        await server.query(`alter database ${name} allow_connections true`);
        await writesMore();
      } finally {
        over.abort();
        await Promise.all(writing);
        await server.query(`alter database ${name} allow_connections true`);
        await server.end();
      }
      expect(child.running()).toBe(true);
      expect(new Set(failed.map(({ status, type }) => `${status} ${type}`))).toEqual(
        new Set(['503 application/problem+json']),
      );
      expect(failed.map(({ text }) => JSON.parse(text) as unknown)).toContainEqual(
        expect.objectContaining({ code: 'unavailable' }),
      );
      expect(child.stdout()).not.toContain('"level":"error"');
      const database = await openDatabase({ url: url(), log: silentLog });
      const gateways = database.read.selectFrom('resources').select('name').where('family', '=', 'gateways');
      const stored = new Set((await gateways.execute()).map((row) => row.name));
      await database.close();
      expect(written.filter((gateway) => !stored.has(gateway))).toEqual([]);
      expect(await child.kill('SIGTERM')).toMatchObject({ code: 0 });
    },
  );
});

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

function noAnswer(): Answer {
  return { status: 0, type: null, text: '{}' };
}

function caller(url: string): (path: string, body: object, token?: string) => Promise<Answer> {
  return async (path, body, token) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
}

function urlOf(child: RunningProcess): string | undefined {
  return /"url":"([^"]+)"/.exec(child.stdout())?.[1];
}

async function backendOf(executor: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(executor);
  return rows[0]?.pid ?? 0;
}

async function endBackend(executor: Kysely<Tables>, pid: number): Promise<void> {
  await sql`select pg_terminate_backend(${pid})`.execute(executor);
}
