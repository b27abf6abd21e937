import type { ControlPlaneUnderTest } from '../admin-api/control-plane.ts';
import type { Client } from '../admin-api/client.ts';
import type { DatabaseKind } from '../admin-api/options.ts';
import { processUsage } from '../machine/process-usage.ts';
import { whileProbing } from './others-probe.ts';
import { beginPeak, peakMegabytes } from './peak-memory.ts';
import { mixedBundle, oneRoute, routesAndConsumers } from './sample-bundle.ts';
import type { SampleBundle } from './sample-bundle.ts';

/** What one request cost. */
export interface Measurement {
  readonly database: DatabaseKind;
  readonly name: CaseName;
  readonly entities: number;
  /** From the first byte sent to the last one received. */
  readonly ms: number;
  /** Processor time of the whole server process, all its threads. */
  readonly cpuMs: number;
  /** Highest resident memory of the server while it worked. */
  readonly peakMegabytes: number;
  readonly answerMegabytes: number;
  /** The longest that anyone else waited meanwhile. */
  readonly healthMs: number;
  readonly readMs: number;
  readonly writeMs: number;
}

/**
 * The requests, in the order in which they are made; and `chaining`, what the first sync leaves to be done after its answer: each
 * of its records of the audit log gets its place in the chains. What comes next is measured when that is over.
 */
export const caseNames = [
  'first_sync',
  'chaining',
  'diff',
  'noop_sync',
  'one_route_diff',
  'one_route_sync',
  'export',
] as const;

/** See {@link caseNames}. */
export type CaseName = (typeof caseNames)[number];

/** Of a request that takes some milliseconds the median of several is taken. */
const oneRouteRequests = 5;
const megabyte = 1024 * 1024;
const chainedMetric = 'portcullis_audit_chained_total';
/** What the answer to a sync has that changed nothing. */
const nothingDone = '"created":0,"updated":0';
const sync = (tenantId: string): string => `/api/v1/admin/config/sync?tenant_id=${tenantId}&dry_run=false`;
const diff = (tenantId: string): string => `/api/v1/admin/config/diff?tenant_id=${tenantId}`;

/** What is measured on. */
export interface ServerUnderTest {
  readonly database: DatabaseKind;
  readonly plane: ControlPlaneUnderTest;
  /** A tenant that has nothing to do with what is measured. */
  readonly otherTenant: string;
}

/** All cases of a bundle of some size, in a tenant that has nothing yet. */
export async function measureSize(
  server: ServerUnderTest,
  tenantId: string,
  entities: number,
): Promise<readonly Measurement[]> {
  const client = server.plane.client(1);
  const text = JSON.stringify(mixedBundle(tenantId, entities));
  const measure = (name: CaseName, work: () => Promise<string>) => measured(server, name, entities, work);
  const chained = await chainedRecords(client);
  const alone = (path: string): string => JSON.stringify(oneRoute(tenantId, Math.floor(entities / 4), path));
  const measurements = [
    await measure('first_sync', () => expectText(client, 'POST', sync(tenantId), text, '"status":"success"')),
    await measure('chaining', () => untilChained(client, chained + entities)),
    await measure('diff', () => expectText(client, 'POST', diff(tenantId), text, '"in_sync":true')),
    await measure('noop_sync', () => expectText(client, 'POST', sync(tenantId), text, nothingDone)),
  ];
  for (let request = 0; request < oneRouteRequests; request += 1) {
    const body = alone(`/moved/${request}`);
    measurements.push(
      await measure('one_route_diff', () => expectText(client, 'POST', diff(tenantId), body, '"update":1')),
      await measure('one_route_sync', () => expectText(client, 'POST', sync(tenantId), body, '"updated":1')),
    );
  }
  const exported = `/api/v1/admin/config/export?tenant_id=${tenantId}&format=json`;
  measurements.push(await measure('export', () => expectText(client, 'GET', exported, undefined, '"gateways"')));
  return measurements;
}

/** A sync without changes of many routes and consumers; the first one, which makes them, is not counted. */
export async function measureNoop(
  server: ServerUnderTest,
  tenantId: string,
  routes: number,
  consumers: number,
): Promise<readonly Measurement[]> {
  const client = server.plane.client(1);
  const bundle: SampleBundle = routesAndConsumers(tenantId, routes, consumers);
  const text = JSON.stringify(bundle);
  await expectText(client, 'POST', sync(tenantId), text, '"status":"success"');
  return [
    await measured(server, 'noop_sync', routes + consumers, () =>
      expectText(client, 'POST', sync(tenantId), text, nothingDone),
    ),
  ];
}

/** How often it is looked whether all is chained. */
const lookEveryMs = 50;

/** Waits until so many records of the audit log were chained. @returns what the last look at the metrics said */
async function untilChained(client: Client, records: number): Promise<string> {
  for (;;) {
    const chained = await chainedRecords(client);
    if (chained >= records) return String(chained);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** Records of the audit log that the server has chained since it was started. */
async function chainedRecords(client: Client): Promise<number> {
  const metrics = await expectText(client, 'GET', '/metrics', undefined, chainedMetric);
  return Number(new RegExp(`^${chainedMetric} (\\d+)$`, 'm').exec(metrics)?.[1]);
}

async function expectText(
  client: Client,
  method: 'GET' | 'POST',
  path: string,
  body: string | undefined,
  wanted: string,
): Promise<string> {
  const { status, text } = await client.send(method, path, body);
  if (status === 200 && text.includes(wanted)) return text;
  throw new Error(`${method} ${path} answered ${status} without ${wanted}: ${text.slice(0, 1500)}`);
}

async function measured(
  { plane, database, otherTenant }: ServerUnderTest,
  name: CaseName,
  entities: number,
  work: () => Promise<string>,
): Promise<Measurement> {
  const { pid } = plane.process;
  const settings = { url: plane.url, token: plane.token, tenantId: otherTenant };
  const { result, others } = await whileProbing(settings, async () => {
    beginPeak(pid);
    const before = processUsage(pid).cpuSeconds;
    const startMs = performance.now();
    const text = await work();
    const ms = performance.now() - startMs;
    const cpuMs = (processUsage(pid).cpuSeconds - before) * 1000;
    return { ms, cpuMs, peakMegabytes: peakMegabytes(pid), answerMegabytes: Buffer.byteLength(text) / megabyte };
  });
  return { database, name, entities, ...result, ...others };
}
