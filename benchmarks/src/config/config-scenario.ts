import { resolve } from 'node:path';
import { startControlPlane, writtenTenants } from '../admin-api/control-plane.ts';
import type { DatabaseKind } from '../admin-api/options.ts';
import { postgresPlace } from '../admin-api/postgres-place.ts';
import { sqlitePlace } from '../admin-api/sqlite-place.ts';
import type { BenchResult } from '../figures/result-line.ts';
import { adminApiEntry, build } from '../peers/built.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import type { Scenario } from '../scenario.ts';
import { measureLibrary } from './measure-library.ts';
import { measureNoop, measureSize } from './measure-server.ts';
import type { Measurement } from './measure-server.ts';
import { configOptionHelp, parseConfigOptions } from './options.ts';
import type { ConfigOptions } from './options.ts';
import { figuresOf, growthOf, libraryTable, serverTable, summarise } from './summary.ts';

/** Where the PostgreSQL server is; each run makes a database of its own there. */
const postgresVariable = 'PORTCULLIS_TEST_POSTGRES_URL';

/** Declarative configuration: the built control plane over HTTP, and the bundle library alone. */
export const configScenario: Scenario = {
  name: 'config',
  summary: 'first sync, diff, sync without changes and one changed route of large bundles, and who waits for them',
  options: configOptionHelp,
  run,
};

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseConfigOptions(args);
  const library = options.library ? options.sizes.map(measureLibrary) : [];
  if (library.length > 0) console.log(`${libraryTable(library)}\n`);
  const kinds = options.databases.filter((kind) => kind !== 'postgres' || process.env[postgresVariable] !== undefined);
  if (kinds.length < options.databases.length) console.log(`postgres: skipped, ${postgresVariable} is not set`);
  const summaries = summarise(kinds.length === 0 ? [] : await measureServers(kinds, options));
  if (summaries.length > 0) console.log(`${serverTable(summaries)}\n`);
  const ratios = growthOf(summaries);
  for (const [name, ratio] of Object.entries(ratios)) console.log(`growth of ${name}: ${ratio.toFixed(2)}`);
  const { repetitions, sizes, routes, consumers } = options;
  const settings = { repetitions, sizes: sizes.join(','), routes, consumers };
  return { bench: 'config', ratios, figures: { ...figuresOf(summaries, library), settings } };
}

/** Every database once in each repetition, in turning order, each time from an empty one. */
async function measureServers(kinds: readonly DatabaseKind[], options: ConfigOptions): Promise<Measurement[]> {
  if (options.adminApi === undefined) build(['@portcullis/admin-api']);
  await using frozen = await freezeApp(options.adminApi === undefined ? adminApiEntry : resolve(options.adminApi));
  const measured: Measurement[] = [];
  for (let repetition = 1; repetition <= options.repetitions; repetition += 1) {
    for (const kind of repetition % 2 === 0 ? kinds.toReversed() : kinds) {
      const startMs = performance.now();
      measured.push(...(await measureDatabase(kind, frozen.entry, options)));
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
      console.error(`[${repetition}/${options.repetitions}] ${kind}: ${seconds} s`);
    }
  }
  return measured;
}

async function measureDatabase(kind: DatabaseKind, entry: string, options: ConfigOptions): Promise<Measurement[]> {
  await using place = await (kind === 'sqlite' ? sqlitePlace() : postgresPlace(process.env[postgresVariable] ?? ''));
  const profiling = options.profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profiles)}`];
  await using plane = await startControlPlane(entry, place, undefined, profiling);
  const [otherTenant, ...tenants] = writtenTenants;
  if (otherTenant === undefined) throw new RangeError('there is no tenant to compare with');
  const server = { database: kind, plane, otherTenant };
  const measured: Measurement[] = [];
  const tenantOf = (position: number): string => tenants[position] ?? otherTenant;
  for (const [position, size] of options.sizes.entries()) {
    measured.push(...(await measureSize(server, tenantOf(position), size)));
  }
  if (options.routes + options.consumers > 0) {
    const tenantId = tenantOf(options.sizes.length);
    measured.push(...(await measureNoop(server, tenantId, options.routes, options.consumers)));
  }
  return measured;
}
