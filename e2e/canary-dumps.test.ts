import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Admin } from './support/admin.ts';
import { Canaries } from './support/canaries.ts';
import { customPackage, makeOtherRecords, makeSecretRecords } from './support/canary-records.ts';
import { startCarelessService } from './support/canary-traffic.ts';
import type { CarelessService } from './support/canary-traffic.ts';
import { freshDatabase } from './support/fresh-database.ts';
import type { FreshDatabase } from './support/fresh-database.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const serverUrl = process.env['PORTCULLIS_TEST_POSTGRES_URL'];
const run = promisify(execFile);
const hasDump = await run('pg_dump', ['--version']).then(
  () => true,
  () => false,
);

/** The whole of a database as text: more than a test's, less than a process has room for. */
const dumpBytesMax = 512 * 1024 * 1024;

describe.skipIf(serverUrl === undefined || !hasDump)(
  'a secret in every field, on PostgreSQL (PORTCULLIS_TEST_POSTGRES_URL, pg_dump)',
  () => {
    const canaries = new Canaries();
    let database: FreshDatabase;
    let careless: CarelessService;
    let stack: Stack;
    const tenant = (): Admin => ({
      ...stack.admin,
      call: (method, path, body, headers) =>
        stack.admin.call(method, `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body, headers),
    });
    const done = async (method: string, path: string, body?: unknown) => {
      const answer = await tenant().call(method, path, body);
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
      return answer.body;
    };

    beforeAll(async () => {
      database = await freshDatabase(serverUrl ?? '');
      careless = await startCarelessService();
      stack = await startStack({ databaseUrl: database.url });
      await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Acme', slug: 'acme' });
      await done('POST', '/gateways', { id: 'edge', name: 'edge' });
      const service = { id: 'echo', name: 'echo', url: `${careless.upstream.url}/quiet` };
      await done('POST', '/gateways/edge/services', service);
      await done('POST', '/consumers', { id: 'acme', username: 'acme' });
      await done('POST', '/plugin-packages', customPackage);
    });
    afterAll(async () => {
      await stack?.[Symbol.asyncDispose]();
      await careless?.upstream.close();
      await database?.[Symbol.asyncDispose]();
    });

    it('is in no dump of the database, after writes, a snapshot and failed syncs', async () => {
      const records = await makeSecretRecords(tenant(), canaries, careless.upstream.url);
      await makeOtherRecords(tenant(), canaries, records);
      await done('POST', '/config/snapshots', { note: 'of secrets' });
      for (const { id } of records.filter(({ collection }) => collection === '/integrations')) {
        // One sync of an integration at a time, and one integration after the other.
        // oxlint-disable-next-line no-await-in-loop -- see above
        await done('POST', `/integrations/${id}/sync`);
      }
      const { stdout } = await run('pg_dump', ['--dbname', database.url], { maxBuffer: dumpBytesMax });
      canaries.look('dump', stdout);
      expect(canaries.fields().length).toBeGreaterThan(100);
      // What is dumped is the database in which these records are.
      for (const { id } of records.filter(({ collection }) => collection === '/plugins')) expect(stdout).toContain(id);
      expect(canaries.leaks('dump')).toEqual([]);
    });
  },
);
