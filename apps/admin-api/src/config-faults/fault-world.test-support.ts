import type { TenantRowSource } from '@portcullis/testkit';
import { bundleFamilies } from '@portcullis/resources';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { sampleOf } from '../isolation/families-samples.test-support.ts';
import { silentLog, startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';
import { FaultPlan } from './fault-plan.test-support.ts';
import { faultyDatabase } from './faulty-database.test-support.ts';

/** A service whose database can be made to fail, and a view of the data that cannot. */
export interface FaultWorld {
  readonly dialect: Database['dialect'];
  readonly service: TestService;
  readonly plan: FaultPlan;
  readonly rows: TenantRowSource;
  /** What the service logged last as a bug or a broken part. */
  readonly lastError: () => unknown;
  /** Makes a tenant with a record of each family of bundles, which has the ID `base-FAMILY`. @returns the tenant's ID */
  addTenant(): Promise<string>;
  /** The bundle that all of them hold, and the same with a change to each record and a second one of each family. */
  readonly bundles: Readonly<Record<'base' | 'changed', Readonly<Record<string, unknown>>>>;
  /** By family, the body of a record that no tenant holds yet. */
  readonly freshBodies: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  stop(): Promise<void>;
}

/** @param observed another connection to the same data */
export async function startFaultWorld(url: string, observed: Database): Promise<FaultWorld> {
  const plan = new FaultPlan();
  const errors: unknown[] = [];
  const service = await startTestService(url, {
    log: { ...silentLog, error: (fields) => void errors.push(fields['err']) },
    openDatabase: async (options) => faultyDatabase(await openDatabase(options), plan),
  });
  const freshBodies = makeFreshBodies();
  const bundles = makeBundles(freshBodies);
  let tenants = 0;
  return {
    dialect: observed.dialect,
    service,
    plan,
    rows: rowSource(observed),
    lastError: () => errors.at(-1),
    bundles,
    freshBodies,
    async addTenant() {
      tenants += 1;
      // Of one length, so that what counts characters counts the same for all.
      const tenantId = `tenant-${String(tenants).padStart(6, '0')}`;
      await service.addTenant(tenantId);
      const document = { tenant_id: tenantId, ...bundles.base };
      const answer = await service.call('POST', '/api/v1/admin/config/sync?dry_run=false', document);
      if (answer.body.status !== 'success') {
        throw new Error(`the first sync: ${JSON.stringify(answer.body)}`, { cause: errors.at(-1) });
      }
      return tenantId;
    },
    stop: () => service.stop(),
  };
}

/** The ID of the record of a family that every tenant begins with. */
export function baseId(family: string): string {
  return `base-${family}`;
}

/** Made once: two certificates of one mark are two certificates. */
function makeFreshBodies(): FaultWorld['freshBodies'] {
  return new Map(
    bundleFamilies.map(({ name }) => [
      name,
      { ...sampleOf(name, { mark: 'fresh', idOf: baseId }), id: `fresh-${name}` },
    ]),
  );
}

function makeBundles(freshBodies: FaultWorld['freshBodies']): FaultWorld['bundles'] {
  const entries = bundleFamilies.map((family) => {
    const place = family.scope === 'gateway' ? { gateway_id: baseId('gateways') } : {};
    const base = { ...sampleOf(family.name, { mark: 'base', idOf: baseId }), ...place, id: baseId(family.name) };
    const second = { ...freshBodies.get(family.name), ...place };
    return { key: family.bundle.key, base, changed: { ...base, labels: { changed: 'yes' } }, second };
  });
  return {
    base: Object.fromEntries(entries.map(({ key, base }) => [key, [base]])),
    changed: Object.fromEntries(entries.map(({ key, changed, second }) => [key, [changed, second]])),
  };
}

function rowSource({ read }: Database): TenantRowSource {
  let tables: Promise<readonly string[]> | undefined;
  const tenantTables = async (): Promise<readonly string[]> => {
    const all = await read.introspection.getTables();
    return all.filter(({ columns }) => columns.some(({ name }) => name === 'tenant_id')).map(({ name }) => name);
  };
  return {
    tenantTables: () => (tables ??= tenantTables()),
    rowsOf: async (table, tenantId) => {
      const query = sql<Record<string, unknown>>`select * from ${sql.table(table)} where tenant_id = ${tenantId}`;
      return (await query.execute(read)).rows;
    },
  };
}
