import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';
import { wholeTenant } from './whole-tenant.test-support.ts';

/** Texts that something on the way might take for another value, cut off or write in another form. */
const nastyTexts = [
  'no',
  'NO',
  'on',
  '~',
  'null',
  'true',
  '0x1',
  '0o7',
  '012',
  '1e3',
  '.5',
  '.inf',
  '-',
  '---',
  '2024-01-01',
  '12:30:45',
  '1_000',
  '<<',
  '=',
  '!tag',
  '&anchor',
  '*alias',
  '# no comment',
  'a: b',
  '- item',
  '[list]',
  '{map: 1}',
  '%directive',
  '@at',
  '`tick`',
  "it's",
  '"quoted"',
  'back\\slash',
  'tab\tinside',
  '  leading and trailing  ',
  'two\nlines',
  'ends with a line break\n',
  '\n starts with one',
  'three\n\n\n  indented\nlines\n\n',
  'ünïcödé 漢字 🜁',
  'e\u0301 next to é',
  'line\u2028separator',
  'next\u0085line',
  'byte order \ufeff mark',
  'no-break\u00a0space',
  'x'.repeat(900),
];

const texts = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }).filter((text) => !text.includes('\0')),
);

describeOnEachDatabase('what an export leaves out or writes in another form', (context) => {
  let service: TestService;
  const config = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    service.call(method, `/api/v1/admin/config/${path}`, body, { headers });
  /** What stands for the secrets of a tenant's records, as it is stored. */
  const secretsOf = async (tenantId: string): Promise<unknown> => {
    const rows = await context
      .database()
      .read.selectFrom('resources')
      .select(['family', 'id', 'body'])
      .where('tenant_id', '=', tenantId)
      .orderBy('family')
      .orderBy('id')
      .execute();
    return rows.map(({ family, id, body }) => [family, id, secretParts(JSON.parse(body))]);
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    await service.addTenant('texts');
    const applied = await config('POST', 'sync?dry_run=false', wholeTenant('acme'));
    expect(applied.body.status, JSON.stringify(applied.body)).toBe('success');
    await config('POST', 'import', { tenant_id: 'texts', gateways: [{ id: 'g', name: 'g' }] });
  });
  afterAll(() => service.stop());

  it('a mask never takes the place of a secret, whatever else of its record changes', async () => {
    const exported: Answer['body'] = (await config('GET', 'export?tenant_id=acme')).body;
    const secretKeys = ['vaults', 'cache_store_configs', 'certificates', 'consumer_credentials', 'routes', 'plugins'];
    const masked = secretKeys.flatMap((key) =>
      exported[key]
        .filter((record: object) => JSON.stringify(record).includes('[redacted'))
        .map((record: Answer['body']) => ({ key, id: String(record.id) })),
    );
    // Each kind of record that can hold a secret is there with one.
    expect(new Set(masked.map(({ key }: { key: string }) => key))).toEqual(new Set(secretKeys));
    const secrets = await secretsOf('acme');
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(masked, { minLength: 1 }),
        fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }),
        fc.boolean(),
        async (chosen, label, atomic) => {
          const changed = structuredClone(exported);
          for (const { key, id } of chosen) {
            const record = changed[key].find((one: Answer['body']) => one.id === id);
            record.labels = { note: label.replaceAll(/[^a-z0-9]/gi, 'x') };
          }
          const query = `import?overwrite=true&atomic=${atomic}`;
          const applied = await config('POST', query, changed);
          expect(applied.body, JSON.stringify(applied.body)).toMatchObject({
            status: 'success',
            counts: { failed: 0 },
          });
          expect(await secretsOf('acme')).toEqual(secrets);
        },
      ),
      { numRuns: 12 },
    );
    const back = await config('POST', 'import?overwrite=true', exported);
    expect(back.body.status).toBe('success');
    expect((await config('GET', 'export?tenant_id=acme')).body).toEqual(exported);
  }, 120_000);

  it('a mask follows its secret when a list is put in another order or gets shorter', async () => {
    const exported: Answer['body'] = (await config('GET', 'export?tenant_id=acme')).body;
    const keysOf = (document: Answer['body']): string[] => document.routes[0].plugins[0].config.valid_keys;
    const [first = '', second = ''] = keysOf(exported);
    const reordered = structuredClone(exported);
    reordered.routes[0].plugins[0].config.valid_keys = [second, first];
    expect((await config('POST', 'import?overwrite=true', reordered)).body.counts.updated).toBe(1);
    expect(keysOf((await config('GET', 'export?tenant_id=acme')).body)).toEqual([second, first]);
    const shorter = structuredClone(exported);
    shorter.routes[0].plugins[0].config.valid_keys = [second];
    expect((await config('POST', 'import?overwrite=true', shorter)).body.counts.updated).toBe(1);
    expect(keysOf((await config('GET', 'export?tenant_id=acme')).body)).toEqual([second]);
    const gone = await config('POST', 'import?overwrite=true', exported);
    expect(gone.body.validation?.errors ?? gone.body.errors).toMatchObject([{ code: 'secret_required' }]);
  });

  it('texts come back as they were through YAML and JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(texts, { minLength: 1, maxLength: 30 }), async (values) => {
        const ai = values.map((description, index) => ({
          id: `r${index}`,
          kind: 'policy',
          name: `n${index}`,
          description,
        }));
        const document = { tenant_id: 'texts', ai_records: ai };
        const made = await config('POST', 'import?overwrite=true', document);
        expect(made.body.status, JSON.stringify([made.status, made.body.errors, made.body.validation])).toBe('success');
        for (const ids of [true, false]) {
          const json = await config('GET', `export?tenant_id=texts&ids=${ids}`);
          const yaml = await config('GET', `export?tenant_id=texts&ids=${ids}&format=yaml`);
          expect(parse(yaml.body)).toEqual(json.body);
          const shown = new Map(json.body.ai_records.map((one: Answer['body']) => [one.name, one.description]));
          values.forEach((value, index) => expect(shown.get(`n${index}`)).toBe(value));
          const diff = await config('POST', 'diff', yaml.body, { 'content-type': 'application/yaml' });
          expect(diff.body, JSON.stringify([diff.status, diff.body.errors, diff.body.changes])).toMatchObject({
            in_sync: true,
            errors: [],
          });
        }
      }),
      { numRuns: 15, examples: [[nastyTexts.slice(0, 24)], [nastyTexts.slice(24)]] },
    );
  }, 120_000);
});

/** The values of a body that stand for secrets: masks with their digests, and hashes. */
function secretParts(value: unknown, key = ''): unknown[] {
  if (typeof value === 'string') return value.startsWith('[redacted') || /_(?:hash|mask)$/.test(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretParts(inner, name));
}
