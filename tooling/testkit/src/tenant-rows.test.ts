import { describe, expect, it } from 'vitest';
import { readComparableRows, readTenantRows, rowDifferences } from './tenant-rows.ts';
import type { TenantRow, TenantRowSource } from './tenant-rows.ts';

const source = (tables: Readonly<Record<string, readonly TenantRow[]>>): TenantRowSource => ({
  tenantTables: async () => Object.keys(tables),
  rowsOf: async (table) => tables[table] ?? [],
});

const record = (tenantId: string, label: string): TenantRow => ({
  tenant_id: tenantId,
  id: 'r',
  body: JSON.stringify({ label, key: '[redacted:0a1b]' }),
  updated_at: Math.random(),
  secrets: JSON.stringify({ '/key': String(Math.random()) }),
});

describe('rows of a tenant', () => {
  it('of two tenants are the same but for what no two runs have in common', async () => {
    const one = await readComparableRows(source({ resources: [record('one', 'x')] }), 'one');
    const two = await readComparableRows(source({ resources: [record('two', 'x')] }), 'two');
    const other = await readComparableRows(source({ resources: [record('two', 'y')] }), 'two');
    expect(rowDifferences(one, two)).toEqual([]);
    expect(rowDifferences(one, other)).toHaveLength(2);
  });

  it('differ in everything when they are taken as they are', async () => {
    const before = await readTenantRows(source({ resources: [record('one', 'x')] }), 'one');
    const after = await readTenantRows(source({ resources: [record('one', 'x')] }), 'one');
    expect(rowDifferences(before, after)).toHaveLength(2);
    expect(rowDifferences(before, before)).toEqual([]);
  });

  it('leave out earlier states that no snapshot holds, and what happens by itself', async () => {
    const state = (until: number): TenantRow => ({
      from_revision: until - 1,
      until_revision: until,
      id: String(until),
    });
    const rows = await readTenantRows(
      source({
        config_snapshots: [{ revision: 4 }],
        resource_history: [state(4), state(5), state(6)],
        tenant_revisions: [{ revision: 7, history_to_free: 1 }],
        sessions: [{ id: 's' }],
      }),
      'one',
    );
    expect([...rows.keys()]).not.toContain('sessions');
    expect(rows.get('resource_history')).toEqual([
      JSON.stringify([
        ['from_revision', 4],
        ['id', '5'],
        ['until_revision', 5],
      ]),
    ]);
    expect(rows.get('tenant_revisions')).toEqual(['[["revision",7]]']);
  });
});
