import type { RequestRecord } from '@portcullis/resources';
import { median } from '../figures/quantile.ts';
import type { ControlPlaneParts, Database, Node } from './control-plane-parts.ts';
import { cpuSeconds } from './database-cpu.ts';
import { openPlainInserts, type PlainRow } from './plain-inserts.ts';
import { batchOf, type SecondOfTraffic, Traffic } from './traffic.ts';

/** Processor time of the ingest beside that of plain inserts. */
export interface IngestFigures {
  readonly cpuUsPerObservation: number;
  readonly insertAllCpuUsPerObservation: number;
  readonly insertRecordsCpuUsPerObservation: number;
  /** Medians of the turns' quotients. */
  readonly toInsertOfAll: number;
  readonly toInsertOfRecords: number;
}

const tenantId = 'turns';
const gateways = 4;
const secondsPerTurn = 5;

/**
 * The same seconds of traffic by turns: ingested; every observation inserted as a row; the raw records alone inserted as rows. One batch
 * after the other, each in a transaction, in one process.
 */
export async function measureIngest(
  parts: ControlPlaneParts,
  database: Database,
  { url, turns, rate }: { url: string; turns: number; rate: number },
): Promise<IngestFigures> {
  const plain = await openPlainInserts(url);
  const ingest = parts.createObservationIngest(database, Date.now);
  const sources = Array.from({ length: gateways }, (_, index) => new Traffic(`turns-${index}`, index + 100));
  const events = Math.round(rate / gateways);
  let sequence = 0;
  const [ours, all, some]: [number[], number[], number[]] = [[], [], []];
  // The first turn warms all of them up.
  for (let turn = 0; turn <= turns; turn += 1) {
    const nowMs = Date.now() - secondsPerTurn * 1000;
    const seconds = Array.from({ length: secondsPerTurn * gateways }, (_, index): [number, SecondOfTraffic] => {
      const atMs = nowMs + Math.floor(index / gateways) * 1000;
      const time = { atMs, lateShare: 0, lateMsMax: 0 };
      return [index % gateways, sources[index % gateways]?.second(events, time) ?? { counters: [], records: [] }];
    });
    const everything = seconds.map(([gateway, { records }]) => repeated(records, events, gateway));
    const sampled = seconds.map(([gateway, { records }]) => rowsOf(records, gateway));
    const observations = events * seconds.length;
    const measured = async (figures: number[], work: () => Promise<void>): Promise<void> => {
      const before = cpuSeconds(url);
      await work();
      if (turn > 0) figures.push(((cpuSeconds(url) - before) / observations) * 1e6);
    };
    const steps = [
      () =>
        measured(ours, async () => {
          for (const [gateway, second] of seconds) {
            const node: Node = { kind: 'data_plane', id: `node-${gateway}`, tenantId, gatewayId: `gw-${gateway}` };
            sequence += 1;
            await ingest(node, batchOf('7f0c1d2e-0000-4000-8000-0000000000aa', sequence, second));
          }
        }),
      () =>
        measured(all, async () => {
          for (const rows of everything) await plain.insert(rows);
        }),
      () =>
        measured(some, async () => {
          for (const rows of sampled) await plain.insert(rows);
        }),
    ];
    for (const step of turn % 2 === 0 ? steps : steps.toReversed()) await step();
  }
  await plain.close();
  const quotients = (others: readonly number[]): number =>
    median(ours.map((own, turn) => own / (others[turn] ?? Number.NaN)));
  return {
    cpuUsPerObservation: median(ours),
    insertAllCpuUsPerObservation: median(all),
    insertRecordsCpuUsPerObservation: median(some),
    toInsertOfAll: quotients(all),
    toInsertOfRecords: quotients(some),
  };
}

/** As many rows as there were events: the gateway made records of the first ones only, and a row is like another. */
function repeated(records: readonly RequestRecord[], count: number, gateway: number): PlainRow[] {
  const rows = rowsOf(records, gateway);
  return Array.from({ length: count }, (_, index) => rows[index % rows.length] ?? []);
}

/** In the order of `plainColumns`. */
function rowsOf(records: readonly RequestRecord[], gateway: number): PlainRow[] {
  return records.map((one) => [
    tenantId,
    one.id,
    `gw-${gateway}`,
    one.request_id,
    one.service_id ?? null,
    one.route_id ?? null,
    one.consumer_id ?? null,
    one.method,
    one.path,
    one.path_template ?? null,
    one.status_source,
    one.client_ip,
    JSON.stringify(one.plugins),
    one.occurred_at_ms,
    one.status,
    one.latency_us,
    one.upstream_latency_us ?? null,
    one.gateway_latency_us,
    one.request_bytes,
    one.response_bytes,
  ]);
}
