import { fileURLToPath } from 'node:url';
import type { DatabasePlace } from '../admin-api/database-place.ts';
import type { DatabaseKind } from '../admin-api/options.ts';
import { postgresPlace } from '../admin-api/postgres-place.ts';
import { sqlitePlace } from '../admin-api/sqlite-place.ts';
import type { BenchResult } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { startChild } from '../machine/child.ts';
import type { Scenario } from '../scenario.ts';
import type { IngestFigures } from './measure-ingest.ts';
import { parseSloOptions, type SloOptions, sloOptionHelp } from './slo-options.ts';

const postgresVariable = 'PORTCULLIS_TEST_POSTGRES_URL';
const limitMs = 3_600_000;

/** What observations cost the control plane, and how long objectives and summaries take. */
export const sloScenario: Scenario = {
  name: 'slo',
  summary:
    'observations ingested while objectives are evaluated, beside plain inserts; evaluations over 30 days, summaries over a day',
  options: sloOptionHelp,
  run,
};

type Figures = Record<string, number>;

interface Measured {
  readonly load: Figures;
  readonly ingest: IngestFigures;
  readonly evaluations: Figures;
}

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseSloOptions(args);
  const kinds = options.databases.filter((kind) => kind !== 'postgres' || process.env[postgresVariable] !== undefined);
  if (kinds.length < options.databases.length) console.log(`postgres: skipped, ${postgresVariable} is not set`);
  const ratios: Figures = {};
  const figures: Record<string, Figures> = {};
  for (const kind of kinds) {
    console.error(kind);
    const { load, ingest, evaluations } = await measure(kind, options);
    ratios[`${kind}_ingest_to_insert_of_all`] = ingest.toInsertOfAll;
    ratios[`${kind}_ingest_to_insert_of_records`] = ingest.toInsertOfRecords;
    figures[`${kind}_load`] = load;
    figures[`${kind}_ingest`] = {
      cpu_us_per_observation: ingest.cpuUsPerObservation,
      insert_of_all_cpu_us_per_observation: ingest.insertAllCpuUsPerObservation,
      insert_of_records_cpu_us_per_observation: ingest.insertRecordsCpuUsPerObservation,
    };
    figures[`${kind}_evaluations`] = evaluations;
    // At once: a run takes minutes, and the second database may fail.
    console.log(tableOf(kind, { ratio: ratios, ...figures }));
  }
  return { bench: sloScenario.name, ratios, figures };
}

/** The figures of one database. */
function tableOf(kind: DatabaseKind, groups: Readonly<Record<string, Figures>>): string {
  const rows = Object.entries(groups).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]) => [`${group} ${name}`, value.toFixed(value < 100 ? 2 : 0)]),
  );
  return `\n${textTable(
    ['figure', 'value'],
    rows.filter(([name]) => name?.includes(kind)),
  )}\n`;
}

async function measure(kind: DatabaseKind, options: SloOptions): Promise<Measured> {
  await using place = await placeOf(kind);
  const path = fileURLToPath(new URL('slo.process.ts', import.meta.url));
  const { seconds, rate, turns, objectives } = options;
  const numbers = [seconds, rate, turns, objectives].map(String);
  const node = [process.execPath, '--conditions=@portcullis/source'] as const;
  const output = await startChild([...node, path, place.url, ...numbers], {}, limitMs).output;
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Measured;
}

function placeOf(kind: DatabaseKind): Promise<DatabasePlace> {
  return kind === 'sqlite' ? sqlitePlace() : postgresPlace(process.env[postgresVariable] ?? '');
}
