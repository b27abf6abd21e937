import { entityFamilies, metadataOf } from '@portcullis/resources';
import { describe, expect, it } from 'vitest';
import { columnsMax, columnsOf } from './columns.ts';
import { recordTable } from './record-table.ts';

const shownByEveryRecord = new Set(['id', 'created_at', 'updated_at']);

describe.each(entityFamilies.map((family) => [family.name, family] as const))('the table of %s', (_, family) => {
  const columns = columnsOf(family);

  it('has columns that its records have, each once, and not too many', () => {
    const fields = { ...family.fields, ...family.readOnlyFields };
    expect(columns.filter((column) => !(column in fields) && !shownByEveryRecord.has(column))).toEqual([]);
    expect(new Set(columns).size).toBe(columns.length);
    expect(columns.length - 1).toBeLessThanOrEqual(columnsMax);
    expect(columns.length).toBeGreaterThan(1);
  });

  it('shows no secret, whatever an answer holds', () => {
    const schemas = Object.entries(family.fields);
    const secrets = schemas.filter(([, schema]) => metadataOf(schema).secret === true).map(([field]) => field);
    const item = Object.fromEntries(schemas.map(([field]) => [field, secrets.includes(field) ? 'TOP-SECRET' : 'x']));
    expect(recordTable(family, { items: [item], total: 1, skip: 0 })).not.toContain('TOP-SECRET');
  });
});

describe('a page', () => {
  const [family] = entityFamilies;

  it('has the same heads when it is empty, and says how many more there are', () => {
    if (!family) throw new Error('the catalogue is empty');
    const [empty] = recordTable(family, { items: [], total: 0, skip: 0 }).split('\n');
    const [head, row, rest] = recordTable(family, { items: [{ id: 'a' }], total: 9, skip: 3 }).split('\n');
    expect(head?.split(/ {2,}/)).toEqual(empty?.split(/ {2,}/));
    expect(row).toMatch(/^a +-/);
    expect(rest).toBe('(5 more: --offset 4)');
  });

  it('cuts a long cell and says so', () => {
    if (!family) throw new Error('the catalogue is empty');
    const text = recordTable(family, { items: [{ id: 'a', name: 'n'.repeat(300) }], total: 1, skip: 0 });
    expect(text).toContain(`${'n'.repeat(63)}…`);
    expect(text).not.toContain('n'.repeat(64));
  });
});
