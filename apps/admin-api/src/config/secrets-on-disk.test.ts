import { readdir, readFile } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { startTestService } from '../testing/test-service.test-support.ts';
import { canary, privateKeys, recordsIn, wholeTenant } from './whole-tenant.test-support.ts';

/** What is only on disk for a while is on disk: pages that were written over, the log that is ahead of the file, a copy of both. */
it('no secret is in the file of a database, in its log or in its backup', async () => {
  await using folder = await temporaryFolder();
  const path = folder.join('portcullis.db');
  const service = await startTestService(`sqlite:${path}`);
  try {
    await service.addTenant('acme');
    const bundle = wholeTenant('acme');
    const applied = await service.call('POST', '/api/v1/admin/config/sync?dry_run=false', bundle);
    expect(applied.body.counts).toMatchObject({ created: recordsIn(bundle) });
    expect((await service.call('POST', '/api/v1/admin/config/snapshots?tenant_id=acme', {})).status).toBe(201);
    const database = new DatabaseSync(path, { readOnly: true });
    await backup(database, folder.join('portcullis.db-backup'));
    database.close();
    const names = await readdir(folder.path);
    expect(names).toEqual(expect.arrayContaining(['portcullis.db', 'portcullis.db-wal', 'portcullis.db-backup']));
    const bytes = await Promise.all(names.map(async (name) => await readFile(folder.join(name), 'latin1')));
    const found = names.filter((_name, at) =>
      [canary, ...privateKeys.map((key) => key.split('\n')[2] ?? key)].some((secret) => bytes[at]?.includes(secret)),
    );
    expect(found).toEqual([]);
    // What is no secret stands there as it is, so that a secret would be found.
    expect(names.filter((_name, at) => bytes[at]?.includes('https://direct.test/base')).length).toBeGreaterThan(1);
  } finally {
    await service.stop();
  }
});
