import { resolve } from 'node:path';
import type { BenchResult } from '../figures/result-line.ts';
import { adminApiEntry, build } from '../peers/built.ts';
import { freezeApp } from '../peers/frozen-app.ts';
import type { Scenario } from '../scenario.ts';
import { startControlPlane } from './control-plane.ts';
import type { DatabasePlace } from './database-place.ts';
import { prepareCases } from './measure-cases.ts';
import type { CaseMeter } from './measure-cases.ts';
import { pageRecords, preparePages } from './measure-pages.ts';
import type { CaseMeasurement, PageMeasurement } from './measurement.ts';
import { adminOptionHelp, parseAdminOptions } from './options.ts';
import type { AdminOptions, DatabaseKind } from './options.ts';
import { postgresPlace } from './postgres-place.ts';
import { sqlitePlace } from './sqlite-place.ts';
import { figuresOf, ratiosOf, summarise, summaryTable } from './summary.ts';

/** Where the PostgreSQL server is; each run makes a database of its own there. */
const postgresVariable = 'PORTCULLIS_TEST_POSTGRES_URL';

/** The built control plane over HTTP, beside what its database itself can do. */
export const adminScenario: Scenario = {
  name: 'admin-api',
  summary: 'creates, reads and lists a second of the control plane beside bare inserts, and pages of a long list',
  options: adminOptionHelp,
  run,
};

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseAdminOptions(args);
  if (options.adminApi === undefined) build(['@portcullis/admin-api']);
  const kinds = options.databases.filter((kind) => kind !== 'postgres' || process.env[postgresVariable] !== undefined);
  if (kinds.length < options.databases.length) console.log(`postgres: skipped, ${postgresVariable} is not set`);
  if (kinds.length === 0) throw new Error('there is no database to measure on');
  console.log(
    `admin-api: ${options.repetitions} repetitions of ${options.operations} operations on ${kinds.join(' and ')}, interleaved; pages out of ${options.routes} routes`,
  );
  const entry = options.adminApi === undefined ? adminApiEntry : resolve(options.adminApi);
  await using frozen = await freezeApp(entry);
  await using parts = new AsyncDisposableStack();
  const meters: Meter[] = [];
  for (const kind of kinds) meters.push(await prepare(kind, frozen.entry, options, parts));
  const measured = await interleaved(options.repetitions, meters);
  const summaries = summarise(measured);
  console.log(`\n${summaryTable(summaries)}\n`);
  const ratios = ratiosOf(summaries);
  for (const [name, ratio] of Object.entries(ratios)) console.log(`${name}: ${ratio.toFixed(2)}`);
  const { repetitions, operations, routes, pages } = options;
  const settings = { repetitions, operations, routes, pages, page_records: pageRecords };
  return { bench: 'admin-api', ratios, figures: { ...figuresOf(summaries), settings } };
}

interface Meter {
  readonly cases: CaseMeter;
  readonly pages: () => Promise<PageMeasurement>;
}

/** Starts the control plane on a fresh database and fills it. Everything lasts as long as `parts`. */
async function prepare(
  kind: DatabaseKind,
  entry: string,
  options: AdminOptions,
  parts: AsyncDisposableStack,
): Promise<Meter> {
  const place = parts.use(await placeOf(kind));
  const plane = parts.use(await startControlPlane(entry, place));
  const startMs = performance.now();
  const pages = await preparePages(place, plane, options.routes, options.pages);
  const cases = await prepareCases(place, plane, options.operations);
  console.error(`${kind}: filled with ${options.routes} routes in ${seconds(performance.now() - startMs)} s`);
  return { cases, pages };
}

function placeOf(kind: DatabaseKind): Promise<DatabasePlace> {
  return kind === 'sqlite' ? sqlitePlace() : postgresPlace(process.env[postgresVariable] ?? '');
}

/** Every database once in each repetition, in turning order, so that a drift of the machine favours none. */
async function interleaved(
  repetitions: number,
  meters: readonly Meter[],
): Promise<{ cases: readonly CaseMeasurement[]; pages: readonly PageMeasurement[] }> {
  const cases: CaseMeasurement[] = [];
  const pages: PageMeasurement[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const isReversed = repetition % 2 === 0;
    for (const meter of isReversed ? meters.toReversed() : meters) {
      const startMs = performance.now();
      cases.push(...(await meter.cases.measure(isReversed)));
      pages.push(await meter.pages());
      const { database } = pages.at(-1) ?? {};
      console.error(`[${repetition}/${repetitions}] ${database}: ${seconds(performance.now() - startMs)} s`);
    }
  }
  return { cases, pages };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
