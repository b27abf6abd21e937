import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../figures/quantile.ts';
import type { ControlPlaneParts, Database, EvaluatedSlo, Node, StoredObjective } from './control-plane-parts.ts';
import { cpuSeconds, threadSeconds } from './database-cpu.ts';
import { createObjectives, type ObjectiveWish } from './objectives.ts';
import { batchOf, thresholdsUs, Traffic, type Truth } from './traffic.ts';

/** How much is sent for how long. */
export interface LoadOptions {
  readonly url: string;
  readonly seconds: number;
  readonly rate: number;
}

/** What the load was like. Times are milliseconds. */
export interface LoadFigures {
  readonly [name: string]: number;
}

const tenantId = 'load';
const gateways = 4;
const lateDaysMax = 29;
const lateShare = 0.01;
const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Every hundredth batch comes again, as after an answer that was lost. */
const repeatedShare = 100;
const refusedWaitMs = 2000;

/**
 * Gateways send what they saw each second while objectives are evaluated. In the end the evaluations must say exactly what was sent.
 * @throws Error when a count differs from the truth
 */
export async function measureLoad(
  parts: ControlPlaneParts,
  database: Database,
  options: LoadOptions,
): Promise<LoadFigures> {
  const sources = Array.from({ length: gateways }, (_, index) => new Traffic(`gw-${index}`, index + 1));
  const objectives = await createObjectives(
    parts,
    database,
    tenantId,
    sources.flatMap((_, index) => wishesOf(`gw-${index}`)),
  );
  const ingest = parts.createObservationIngest(database, Date.now);
  const evaluate = (
    some: readonly StoredObjective[],
    clock: () => number,
  ): Promise<ReadonlyMap<string, EvaluatedSlo>> =>
    parts.evaluateSlos(
      { database, newId: () => crypto.randomUUID() },
      { tenantId, objectives: some, clock, by: 'bench' },
    );
  const [batchMs, evaluationMs]: [number[], number[]] = [[], []];
  const sending: Promise<void>[] = [];
  let [madeSeconds, refused, repeated, records, evaluations] = [0, 0, 0, 0, 0];
  const send = async (node: Node, batch: ReturnType<typeof batchOf>): Promise<void> => {
    const sentMs = performance.now();
    for (;;) {
      try {
        await ingest(node, batch);
        break;
      } catch (error) {
        if ((error as { code?: string }).code !== 'unavailable') throw error;
        refused += 1;
        await delay(refusedWaitMs);
      }
    }
    batchMs.push(performance.now() - sentMs);
  };
  const startMs = performance.now();
  const startCpu = cpuSeconds(options.url);
  const over = new AbortController();
  const evaluating = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const objective = objectives[turn % objectives.length];
      const beganMs = performance.now();
      if (objective) await evaluate([objective], Date.now);
      evaluationMs.push(performance.now() - beganMs);
      evaluations += 1;
      await delay(50);
    }
  })();
  for (let second = 1; second <= options.seconds; second += 1) {
    for (const [index, traffic] of sources.entries()) {
      const dueMs = startMs + (second - 1 + index / gateways) * 1000;
      await delay(Math.max(0, dueMs - performance.now()));
      const beganSeconds = threadSeconds();
      const time = { atMs: Date.now() - 1000, lateShare, lateMsMax: lateDaysMax * dayMs };
      const seen = traffic.second(Math.round(options.rate / gateways), time);
      madeSeconds += threadSeconds() - beganSeconds;
      records += seen.records.length;
      const node: Node = { kind: 'data_plane', id: `node-${index}`, tenantId, gatewayId: `gw-${index}` };
      const batch = batchOf(bootIdOf(index), second, seen);
      sending.push(send(node, batch));
      if ((second * gateways + index) % repeatedShare === 0) {
        repeated += 1;
        sending.push(send(node, batch));
      }
    }
  }
  // The last batch is followed by as long a pause as each.
  const sentSeconds = (performance.now() - startMs) / 1000 + 1 / gateways;
  await Promise.all(sending);
  const seconds = (performance.now() - startMs) / 1000;
  over.abort();
  await evaluating;
  const cpu = cpuSeconds(options.url) - startCpu - madeSeconds;
  // A minute later: the minute in which a window ends is split by raw records, and gateways do not keep all of them.
  const nowMs = Date.now() + minuteMs;
  let observations = 0;
  for (const [index, { truth }] of sources.entries()) {
    const own = objectives.filter(({ gatewayId }) => gatewayId === `gw-${index}`);
    compare(own, await evaluate(own, () => nowMs), truth);
    observations += Number(truth.total);
  }
  return {
    observations,
    observations_per_second: observations / sentSeconds,
    records,
    lost: 0,
    catch_up_ms: Math.max(0, seconds - sentSeconds) * 1000,
    batches_repeated: repeated,
    batches_refused: refused,
    batch_p50_ms: quantile(batchMs, 0.5) ?? 0,
    batch_p99_ms: quantile(batchMs, 0.99) ?? 0,
    evaluations,
    evaluation_p50_ms: quantile(evaluationMs, 0.5) ?? 0,
    evaluation_p99_ms: quantile(evaluationMs, 0.99) ?? 0,
    cpu_us_per_observation: (cpu / observations) * 1e6,
    cores: cpu / seconds,
  };
}

/** One of availability and two of latency, over thirty days: late observations are in them. */
function wishesOf(gatewayId: string): ObjectiveWish[] {
  return [null, thresholdsUs[1] ?? null, thresholdsUs[2] ?? null].map((thresholdUs) => ({
    id: `${gatewayId}-${thresholdUs ?? 'availability'}`,
    gatewayId,
    windowMinutes: 43_200,
    thresholdUs,
  }));
}

function compare(objectives: readonly StoredObjective[], found: ReadonlyMap<string, EvaluatedSlo>, truth: Truth): void {
  const [failed, ...slow] = objectives.map(({ id }) => found.get(id)?.evaluation);
  const expected = [truth.failed, truth.slow[1], truth.slow[2]];
  for (const [index, evaluation] of [failed, ...slow].entries()) {
    const counts = [evaluation?.total_events, evaluation?.bad_events, evaluation?.exact];
    if (counts.join() === [truth.total, expected[index], true].join()) continue;
    throw new Error(
      `the counts are ${counts.join()} and not ${truth.total},${expected[index]}: ${objectives[index]?.id}`,
    );
  }
}

function bootIdOf(index: number): string {
  return `7f0c1d2e-0000-4000-8000-00000000000${index}`;
}
