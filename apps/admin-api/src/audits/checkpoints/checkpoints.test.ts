import { readFileSync, statSync } from 'node:fs';
import { openNote, parseCheckpoint, parseVerifierKey } from '@portcullis/audit-chain';
import { eventually, startUpstream, temporaryFolder } from '@portcullis/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnEachDatabase, silentLog } from '../../database/each-database.test-support.ts';
import { openDatabase } from '../../database/open-database.ts';
import { startTestService, type TestService } from '../../testing/test-service.test-support.ts';

const path = '/api/v1/admin/audits/checkpoint';
const key = (byte: number): string => `audit.example.com:${Buffer.alloc(32, byte).toString('base64')}`;

describeOnEachDatabase('checkpoints of the audit log', (context) => {
  const started = async <Result>(
    settings: Readonly<Record<string, string>>,
    work: (service: TestService, errors: string[]) => Promise<Result>,
    url = context.url(),
  ): Promise<Result> => {
    const errors: string[] = [];
    const ignore = (): void => undefined;
    const log = {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (_: object, text: string) => void errors.push(text),
    };
    const service = await startTestService(url, { settings, log });
    try {
      return await work(service, errors);
    } finally {
      await service.stop();
    }
  };
  const checkpointOf = async (service: TestService) => {
    const { status, body } = await service.call('GET', path);
    expect(status, JSON.stringify(body)).toBe(200);
    const opened = parseCheckpoint(openNote(body.note, [parseVerifierKey(body.verifier_key)]).text);
    expect(opened).toEqual({ origin: body.origin, size: body.size, root: body.root });
    return body;
  };

  it('are signed with a key that is made once and stays', async () => {
    const place = await context.fresh();
    try {
      const first = await started({}, checkpointOf, place.url);
      const second = await started({}, checkpointOf, place.url);
      expect(second.verifier_key).toBe(first.verifier_key);
      expect(second.origin).toBe(first.origin);
      expect(second.keys).toHaveLength(1);
      expect(second.size).toBeGreaterThan(first.size);
    } finally {
      await place.remove();
    }
  });

  it('are signed with a new key once the old one has signed that, in a record of its own', async () => {
    const place = await context.fresh();
    try {
      const before = await started({ PORTCULLIS_AUDIT_KEY: key(1) }, checkpointOf, place.url);
      const settings = { PORTCULLIS_AUDIT_KEY: `${key(2)},${key(1)}` };
      const [after, record] = await started(
        settings,
        async (service, errors) => {
          const answer = await service.call('GET', '/api/v1/admin/audits/?entity=audit_key');
          expect(errors).toEqual([]);
          return [await checkpointOf(service), answer.body.items[0]] as const;
        },
        place.url,
      );
      expect(after.verifier_key).not.toBe(before.verifier_key);
      expect(record).toMatchObject({
        action: 'rotate',
        before: { verifier_key: before.verifier_key },
        after: { verifier_key: after.verifier_key },
      });
      const { text } = openNote(record.metadata.signed_change, [parseVerifierKey(before.verifier_key)]);
      expect(text).toBe(`portcullis/audit/key-change/v1\n${after.verifier_key}\n`);
      expect(after.keys.map((one: { verifier_key: string }) => one.verifier_key)).toEqual([
        after.verifier_key,
        before.verifier_key,
      ]);
      const errors = await started(
        { PORTCULLIS_AUDIT_KEY: key(3) },
        async (service, said) => {
          expect((await service.call('POST', '/api/v1/admin/audits/verify', {})).body).toMatchObject({ valid: true });
          return said;
        },
        place.url,
      );
      expect(errors).toEqual([expect.stringContaining('could not sign the change')]);
    } finally {
      await place.remove();
    }
  });

  it('go to a file and an address, and a log that does not continue the file is not signed', async () => {
    const folder = await temporaryFolder();
    const [place, other] = [await context.fresh(), await context.fresh()];
    await using sink = await startUpstream((_request, response) => void response.writeHead(204).end());
    const file = folder.join('anchors.ndjson');
    const settings = { PORTCULLIS_AUDIT_KEY: key(1), PORTCULLIS_AUDIT_ANCHOR: `file:${file},${sink.url}/anchor` };
    try {
      const size: number = await started(
        settings,
        async (service) => {
          await service.addTenant('acme');
          const checkpoint = await checkpointOf(service);
          await eventually(() => expect(readFileSync(file, 'utf8')).toContain(`"size":${checkpoint.size}`));
          await eventually(() =>
            expect(sink.requests.map(({ body }) => JSON.parse(body.toString()).size)).toContain(checkpoint.size),
          );
          return checkpoint.size;
        },
        place.url,
      );
      expect(size).toBeGreaterThan(1);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      await started(
        settings,
        async (service, errors) => {
          expect(errors).toEqual([expect.stringContaining('was rewritten')]);
          expect((await service.call('GET', path)).status).toBe(409);
          // Writers are not stopped by it.
          await service.addTenant('acme');
        },
        other.url,
      );
      await started(
        settings,
        async (service, errors) => {
          expect(errors).toEqual([]);
          await checkpointOf(service);
        },
        place.url,
      );
    } finally {
      await Promise.all([place.remove(), other.remove(), folder.remove()]);
    }
  });

  it('are not signed with a key made anew beside an anchor file, and such a key is an alarm', async () => {
    const folder = await temporaryFolder();
    const place = await context.fresh();
    const file = folder.join('anchors.ndjson');
    const settings = { PORTCULLIS_AUDIT_ANCHOR: `file:${file}` };
    const metrics = async (service: TestService): Promise<string> => (await service.call('GET', '/metrics')).body;
    try {
      await started(
        settings,
        async (service) => {
          await service.addTenant('acme');
          await checkpointOf(service);
          await eventually(() => expect(readFileSync(file, 'utf8')).toContain('"global"'));
          expect(await metrics(service)).toContain('portcullis_audit_key_unaccounted 0');
        },
        place.url,
      );
      // What somebody with the database does who has no key: a restart makes one.
      const database = await openDatabase({ url: place.url, log: silentLog });
      await database.transaction(async (transaction) => {
        const on = context.dialect === 'postgres' ? ' on audit_keys' : '';
        await sql.raw(`drop trigger audit_keys_kept${on}`).execute(transaction);
        await transaction.deleteFrom('audit_keys').execute();
      });
      await database.close();
      await started(
        settings,
        async (service, errors) => {
          expect(errors).toEqual([
            expect.stringContaining('is gone from the database'),
            expect.stringContaining('that no known key signed'),
            expect.stringContaining('no checkpoint is signed'),
          ]);
          expect((await service.call('GET', path)).status).toBe(409);
          const { body } = await service.call('POST', '/api/v1/admin/audits/verify', { tenant_id: 'acme' });
          expect(body).toMatchObject({ valid: false, first_invalid: { kind: 'foreign_key' } });
          expect(await metrics(service)).toContain('portcullis_audit_key_unaccounted 1');
          expect(await metrics(service)).toContain('portcullis_audit_refused_chains 1');
          const about = await service.call('GET', '/api/v1/admin/audits/?entity=audit_key');
          expect(about.body.items[0]).toMatchObject({ action: 'rotate', before: null });
        },
        place.url,
      );
    } finally {
      await Promise.all([place.remove(), folder.remove()]);
    }
  });
});
