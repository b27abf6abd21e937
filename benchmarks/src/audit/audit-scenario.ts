import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closedCalls } from '../admin-api/closed-calls.ts';
import { startControlPlane, writtenTenants } from '../admin-api/control-plane.ts';
import type { DatabasePlace } from '../admin-api/database-place.ts';
import type { DatabaseKind } from '../admin-api/options.ts';
import { postgresPlace } from '../admin-api/postgres-place.ts';
import { sqlitePlace } from '../admin-api/sqlite-place.ts';
import type { BenchResult } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { startChild } from '../machine/child.ts';
import { scratchFolder } from '../machine/scratch-folder.ts';
import { adminApiEntry, build } from '../peers/built.ts';
import type { Scenario } from '../scenario.ts';
import { type AuditOptions, auditOptionHelp, parseAuditOptions } from './audit-options.ts';

const postgresVariable = 'PORTCULLIS_TEST_POSTGRES_URL';
const limitMs = 1_800_000;
/** Callers at once through HTTP. Source: reliability, goal 4. */
const callers = 32;

/** What the audit chain costs writers, and how long an auditor waits. */
export const auditScenario: Scenario = {
  name: 'audit',
  summary:
    'writes with the audit chain beside the same without, verification of a long log, proofs, audited writes through HTTP',
  options: auditOptionHelp,
  run,
};

type Figures = Record<string, number>;

async function run(args: readonly string[]): Promise<BenchResult> {
  const options = parseAuditOptions(args);
  const kinds = options.databases.filter((kind) => kind !== 'postgres' || process.env[postgresVariable] !== undefined);
  if (kinds.length < options.databases.length) console.log(`postgres: skipped, ${postgresVariable} is not set`);
  const ratios: Figures = {};
  const figures: Record<string, Figures> = {};
  for (const kind of kinds) {
    for (const writers of options.writers) {
      const { ratio = Number.NaN, ...rest } = await measureAppends(kind, writers, options);
      ratios[`${kind}_${writers}_writers`] = ratio;
      figures[`${kind}_${writers}_writers`] = rest;
      console.error(`${kind}, ${writers} writers: ${ratio.toFixed(2)}`);
    }
  }
  if (options.records > 0) figures['verify'] = await measureVerification(options.records);
  if (options.calls > 0) for (const kind of kinds) figures[`${kind}_http`] = await measureHttp(kind, options);
  const rows = Object.entries(figures).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]) => [`${group} ${name}`, value.toFixed(value < 10 ? 2 : 0)]),
  );
  console.log(`\n${textTable(['figure', 'value'], rows)}\n`);
  return { bench: auditScenario.name, ratios, figures };
}

function placeOf(kind: DatabaseKind): Promise<DatabasePlace> {
  return kind === 'sqlite' ? sqlitePlace() : postgresPlace(process.env[postgresVariable] ?? '');
}

async function program(name: string, ...args: readonly string[]): Promise<Figures> {
  const path = fileURLToPath(new URL(name, import.meta.url));
  const child = startChild([process.execPath, '--conditions=@portcullis/source', path, ...args], {}, limitMs);
  const line = (await child.output).trim().split('\n').at(-1) ?? '';
  return line === '' ? {} : (JSON.parse(line) as Figures);
}

async function measureAppends(kind: DatabaseKind, writers: number, options: AuditOptions): Promise<Figures> {
  await using plain = await placeOf(kind);
  await using chained = await placeOf(kind);
  // Awaited here: the databases go when this returns.
  return await program(
    'appends.process.ts',
    plain.url,
    chained.url,
    `${writers}`,
    `${options.turnMs}`,
    `${options.turns}`,
  );
}

async function measureVerification(records: number): Promise<Figures> {
  await using folder = await scratchFolder();
  await program('verify.process.ts', folder.path, `${records}`, 'make');
  const verified = await program('verify.process.ts', folder.path, `${records}`, 'verify');
  return { records, ...verified, ...(await program('verify.process.ts', folder.path, '0', 'proofs')) };
}

/** Creates of consumers by many callers, of sixteen tenants. */
async function measureHttp(kind: DatabaseKind, { calls, adminApi }: AuditOptions): Promise<Figures> {
  if (adminApi === undefined) build(['@portcullis/admin-api']);
  await using place = await placeOf(kind);
  await using plane = await startControlPlane(adminApi === undefined ? adminApiEntry : resolve(adminApi), place);
  const client = plane.client(callers);
  let made = 0;
  const create = async (): Promise<void> => {
    made += 1;
    const tenantId = writtenTenants[made % writtenTenants.length] ?? '';
    const body = { username: `caller-${made}` };
    await client.expect('POST', `/api/v1/admin/consumers?tenant_id=${tenantId}`, 201, body);
  };
  await closedCalls(Math.ceil(calls / 10), callers, create);
  const { perSecond, p50Ms, p99Ms } = await closedCalls(calls, callers, create);
  return { writes_per_second: perSecond, p50_ms: p50Ms, p99_ms: p99Ms };
}
