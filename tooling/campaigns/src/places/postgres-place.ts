import { randomBytes } from 'node:crypto';
import { eventually } from '@portcullis/testkit';
import type { TenantRow } from '@portcullis/testkit';
import pg from 'pg';
import type { DatabasePlace } from './database-place.ts';

/** How long the server may go on with what a killed process had sent. */
const settleTimeoutMs = 120_000;

/** A fresh database on a server. Constraints are the server's own: only rows without their record are looked for. */
export async function postgresPlace(serverUrl: string): Promise<DatabasePlace> {
  const name = `portcullis_campaign_${randomBytes(8).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const query = async (at: string, text: string, values: readonly unknown[] = []): Promise<readonly TenantRow[]> => {
    const client = new pg.Client({ connectionString: at });
    await client.connect();
    try {
      return (await client.query<TenantRow>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  await query(serverUrl, `create database ${name}`);
  return {
    url: url.href,
    async tenantTables() {
      const rows = await query(
        url.href,
        `select table_name as name from information_schema.columns
         where table_schema = 'public' and column_name = 'tenant_id' order by table_name`,
      );
      return rows.map((row) => String(row['name']));
    },
    rowsOf: (table, tenantId) => query(url.href, `select * from "${table}" where tenant_id = $1`, [tenantId]),
    async settle() {
      await eventually(
        async () => {
          const others =
            'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
          return (await query(url.href, `${others} and backend_type = 'client backend'`)).length === 0;
        },
        { timeoutMs: settleTimeoutMs },
      );
    },
    async damage() {
      const owner = '(r.tenant_id, r.family, r.id) = (o.tenant_id, o.family, o.id)';
      const found = await Promise.all(
        ['resource_keys', 'resource_references'].map(async (table) => {
          const orphans = `select 1 from ${table} o where not exists (select 1 from resources r where ${owner})`;
          return (await query(url.href, orphans)).map(() => `a row of ${table} is without its record`);
        }),
      );
      return found.flat();
    },
    [Symbol.asyncDispose]: async () => {
      await query(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}
