/** A row as a driver gives it. */
export type TenantRow = Readonly<Record<string, unknown>>;

/** A way into a control plane's database, past the control plane. */
export interface TenantRowSource {
  /** Names of the tables that have the column `tenant_id`. */
  tenantTables(): Promise<readonly string[]>;
  /** All of a tenant's rows in a table. */
  rowsOf(table: string, tenantId: string): Promise<readonly TenantRow[]>;
}

/** All rows of one tenant's configuration, by table, in one order. */
export type TenantRows = ReadonlyMap<string, readonly string[]>;

/**
 * What is no part of a write's outcome: logins, what happens by itself, observations, and the tenant's data key, which is made
 * before the first write that needs it.
 */
const besides = /^(?:sessions|idempotency_keys|tenant_keys|resource_states|target_reports|observation_.*)$/;

/** Reads a tenant's rows, each as canonical text. */
export async function readTenantRows(source: TenantRowSource, tenantId: string): Promise<TenantRows> {
  return rowsAs(source, tenantId, (row) => textOf(row));
}

/**
 * Reads a tenant's rows without what no two runs have in common: times, made-up IDs, hashes, sealed values, and the tenant's name.
 * Two tenants that were given the same commands have the same.
 */
export async function readComparableRows(source: TenantRowSource, tenantId: string): Promise<TenantRows> {
  return rowsAs(source, tenantId, (row) => comparable(row, tenantId));
}

async function rowsAs(
  source: TenantRowSource,
  tenantId: string,
  form: (row: TenantRow) => string,
): Promise<TenantRows> {
  const tables = (await source.tenantTables()).filter((table) => !besides.test(table));
  const rows = new Map<string, readonly TenantRow[]>();
  for (const table of tables) rows.set(table, await source.rowsOf(table, tenantId));
  rows.set(historyTable, neededHistory(rows));
  return new Map([...rows].map(([table, list]) => [table, list.map(withoutUpkeep).map(form).toSorted()]));
}

const historyTable = 'resource_history';
const snapshotTable = 'config_snapshots';

/** Earlier states of records that a snapshot holds. Others are removed some time after the last snapshot that did. */
function neededHistory(rows: ReadonlyMap<string, readonly TenantRow[]>): readonly TenantRow[] {
  const revisions = (rows.get(snapshotTable) ?? []).map((snapshot) => Number(snapshot['revision']));
  return (rows.get(historyTable) ?? []).filter((state) => {
    const [from, until] = [Number(state['from_revision']), Number(state['until_revision'])];
    return revisions.some((revision) => from <= revision && revision < until);
  });
}

/** What is done by itself some time after a write: the rest of that removal, and the places of audit records in their chains. */
const upkeepColumn =
  /^(?:history_to_free|tenant_sequence|previous_hash|audit_hash|global_sequence|global_previous_hash|global_hash)$/;

function withoutUpkeep(row: TenantRow): TenantRow {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !upkeepColumn.test(column)));
}

function textOf(row: TenantRow): string {
  return JSON.stringify(Object.entries(row).toSorted(byName));
}

const volatileColumn = /_at$|^canonical$|^disclosures$|_hash$|^request_id$|^source_ip$/;
const madeUpId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const mask = /\[redacted:[0-9a-f]+\]/g;

function comparable(row: TenantRow, tenantId: string): string {
  const entries = Object.entries(row)
    .filter(([column]) => !volatileColumn.test(column))
    .map(([column, value]) => [column, column === 'secrets' ? sealedPlaces(value) : value]);
  return JSON.stringify(entries.toSorted(byName))
    .replaceAll(tenantId, '<tenant>')
    .replaceAll(madeUpId, '<id>')
    .replaceAll(mask, '[redacted]');
}

function byName(left: readonly unknown[], right: readonly unknown[]): number {
  return String(left[0]) < String(right[0]) ? -1 : 1;
}

/** Where a record has sealed values, without the values. */
function sealedPlaces(value: unknown): unknown {
  return typeof value === 'string' ? Object.keys(JSON.parse(value) as object).toSorted() : value;
}

const differencesMax = 5;

/** What tells two sets of rows apart, a few lines for each table at most; empty when they are the same. */
export function rowDifferences(left: TenantRows, right: TenantRows): readonly string[] {
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((table) => {
    const [mine, others] = [new Set(left.get(table)), new Set(right.get(table))];
    const [ours, theirs] = [left.get(table) ?? [], right.get(table) ?? []];
    const lines = [
      ...(ours.length === theirs.length ? [] : [`${table}: ${ours.length} rows and ${theirs.length}`]),
      ...ours.filter((row) => !others.has(row)).map((row) => `${table}: only the first has ${row.slice(0, 400)}`),
      ...theirs.filter((row) => !mine.has(row)).map((row) => `${table}: only the second has ${row.slice(0, 400)}`),
    ];
    return lines.slice(0, differencesMax);
  });
}
