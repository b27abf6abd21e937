import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { sampleRecords, firstSuffix } from './support/sample-records.ts';
import { startStack, superAdministrator } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

describe('gwctl creates, lists, reads, updates and deletes a record of every entity', () => {
  let stack: Stack;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    stack = await startStack();
    await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Acme', slug: 'acme' });
    const { username, password } = superAdministrator;
    await gwctl('--api-url', stack.adminUrl, 'login', '--username', username, '--password', password, ...tenant);
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  const tenant = ['--tenant-id', 'acme'];
  const gwctl = async (...args: string[]): Promise<string> => {
    const run = await stack.gwctl(...args);
    expect(run.code, `gwctl ${args.join(' ')}: ${run.stderr}`).toBe(0);
    return run.stdout;
  };
  /** The one document that a command prints. */
  const document = async (format: 'json' | 'yaml', ...args: string[]): Promise<Record<string, unknown>> => {
    const text = await gwctl('-o', format, ...args);
    if (format === 'yaml') expect(parseAllDocuments(text)).toHaveLength(1);
    return (format === 'json' ? JSON.parse(text) : parse(text)) as Record<string, unknown>;
  };
  const file = async (name: string, record: unknown): Promise<string> => {
    const path = stack.folder.join(name);
    await writeFile(path, name.endsWith('.json') ? JSON.stringify(record) : stringify(record));
    return path;
  };
  const place = (scope: string): string[] => (scope === 'gateway' ? ['--gateway-id', ids['gateways'] ?? ''] : []);

  const owners = { '--gateway-id': 'gateway_id', '--consumer-id': 'consumer_id', '--upstream-id': 'upstream_id' };
  const idsOf = ({ items }: Record<string, unknown>): string[] => (items as { id: string }[]).map(({ id }) => id);

  describe.each(sampleRecords.map((sample, index) => [sample.family.name, sample, index] as const))(
    '%s',
    (entity, { family, body, change }, index) => {
      const format = index % 2 === 0 ? 'json' : 'yaml';
      const singular = family.singular.replaceAll('_', '-');
      const nameKey = family.keys.find(({ addressable }) => addressable)?.fields[0];

      it('is created from a file, listed, and read by its name or ID', async () => {
        const record = body(ids, firstSuffix);
        const created = await document(
          format,
          'create',
          singular,
          ...place(family.scope),
          '--file',
          await file(`${entity}.${format}`, record),
        );
        ids[entity] = String(created['id']);
        const upstream = entity === 'targets' ? ['--upstream-id', ids['upstreams'] ?? ''] : [];
        const list = ['get', entity, ...place(family.scope), ...upstream, '--sort', 'created_at', '--order', 'desc'];
        const name = nameKey === undefined ? undefined : created[nameKey];
        const address = typeof name === 'string' ? name : (ids[entity] ?? '');
        const [page, read] = await Promise.all([
          gwctl(...list),
          document(format, 'get', singular, address, ...place(family.scope)),
        ]);
        expect(read).toMatchObject({ id: ids[entity], revision: 1 });
        const [heads, row] = page.split('\n');
        expect(heads).toMatch(/^ID +\S/);
        expect(row).toContain(ids[entity]);
      });

      it('is filtered by labels, limit and offset, and read page by page', async () => {
        const upstream = entity === 'targets' ? ['--upstream-id', `upstream-${firstSuffix}`] : [];
        const list = ['get', singular, ...place(family.scope), ...upstream];
        const [all, first, beyond, labelled] = await Promise.all([
          document('yaml', ...list, '--all'),
          document('json', ...list, '--limit', '1', '--sort', 'id', '--order', 'asc'),
          document('json', ...list, '--offset', '100000'),
          'labels' in family.fields ? document('json', ...list, '--selector', 'suite=no-such') : { items: [] },
        ]);
        const known = idsOf(all);
        expect(known).toContain(ids[entity]);
        expect(known).toHaveLength(Number(all['total']));
        expect(idsOf(first)).toEqual(known.toSorted().slice(0, 1));
        expect([beyond, labelled].map(idsOf)).toEqual([[], []]);
      });

      for (const [option, field] of Object.entries(owners)) {
        const reference = family.references.find((candidate) => candidate.field === field);
        if (!reference || (family.scope === 'gateway' && field === 'gateway_id')) continue;
        it(`is filtered by ${option}, with an ID or a name`, async () => {
          const owner = ids[reference.family] ?? '';
          const read = [
            'get',
            reference.family,
            owner,
            ...place(reference.family === 'upstreams' ? 'gateway' : 'tenant'),
          ];
          const { name, username } = await document('json', ...read);
          for (const given of [owner, String(name ?? username)]) {
            const { items } = await document('json', 'get', entity, ...place(family.scope), option, given);
            for (const item of items as Record<string, unknown>[]) expect(item).toMatchObject({ [field]: owner });
            expect(items).toHaveLength(body(ids, firstSuffix)[field] === owner ? 1 : 0);
          }
        });
      }

      if (change === undefined) return;
      it('is updated with the fields of a file alone', async () => {
        const path = await file(`${entity}-change.${format}`, change);
        const args = ['update', entity, ids[entity] ?? '', ...place(family.scope), '--file', path];
        expect(await document(format, ...args)).toMatchObject({ ...change, id: ids[entity], revision: 2 });
      });
    },
  );

  it('and all of them are deleted, the last first', async () => {
    const audits = async (action: string): Promise<number> =>
      (await stack.admin.call('GET', `/api/v1/admin/audits/?actions=${action}`)).body.total;
    for (const { family } of sampleRecords.toReversed()) {
      const id = ids[family.name] ?? '';
      const args = [family.name, id, ...place(family.scope)];
      expect(await document('json', 'delete', ...args)).toEqual({ entity: family.name, id, deleted: true });
    }
    expect(await audits('delete')).toBe(sampleRecords.length);
  });
});
