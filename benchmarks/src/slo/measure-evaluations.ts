import type { MinuteCounter } from '@portcullis/resources';
import { quantile } from '../figures/quantile.ts';
import type { ControlPlaneParts, Database, Node, StoredObjective } from './control-plane-parts.ts';
import { cpuSeconds } from './database-cpu.ts';
import { createObjectives, mixedObjectives } from './objectives.ts';
import { batchOf, thresholdsUs, Traffic } from './traffic.ts';

const tenantId = 'many';
const gatewayIds: readonly string[] = Array.from({ length: 10 }, (_, index) => `gw-${index}`);
const busiest = 'gw-0';
const dayMinutes = 1440;
const windowMinutes = 43_200;
/** Of the busiest gateway's last day: with its ten routes, 10 million in all. */
const requestsPerMinute = Math.ceil(10_000_000 / dayMinutes);
const countersPerBatch = 5000;
/** Evaluations of all objectives. */
const allRepetitions = 5;

/** Times of evaluations and summaries, milliseconds, and the processor time of each, the server's with it. */
export interface EvaluationFigures {
  readonly [name: string]: number;
}

/**
 * Thirty days of counters: the busiest gateway has all minutes, ten routes of them on its last day; the nine others all minutes of their last
 * day, and one an hour before it. Then one objective is evaluated again and again, all of them at once, and the last day summarised.
 */
export async function measureEvaluations(
  parts: ControlPlaneParts,
  database: Database,
  { url, objectives: count, repetitions }: { url: string; objectives: number; repetitions: number },
): Promise<EvaluationFigures> {
  const nowMs = Date.now();
  const lastMinute = Math.floor(nowMs / 60_000) - 1;
  const counted = await fill(parts, database, lastMinute);
  const wishes = [
    ...mixedObjectives(count, gatewayIds),
    { id: 'failures', gatewayId: busiest, windowMinutes, thresholdUs: null },
    { id: 'slow', gatewayId: busiest, windowMinutes, thresholdUs: thresholdsUs[2] ?? null },
    // Nobody counted against it: histograms bound it.
    { id: 'new', gatewayId: busiest, windowMinutes, thresholdUs: 123_456 },
  ];
  const objectives = await createObjectives(parts, database, tenantId, wishes);
  const evaluationParts = { database, newId: () => crypto.randomUUID() };
  const asked = { tenantId, clock: Date.now, by: 'bench' };
  const evaluate = (some: readonly StoredObjective[]) =>
    parts.evaluateSlos(evaluationParts, { ...asked, objectives: some });
  const figures: Record<string, number> = { counters: counted };
  for (const id of ['failures', 'slow', 'new']) {
    const one = objectives.filter((objective) => objective.id === id);
    const { p50, p99, cpu } = await timed(url, repetitions, () => evaluate(one));
    Object.assign(figures, {
      [`evaluate_${id}_p50_ms`]: p50,
      [`evaluate_${id}_p99_ms`]: p99,
      [`evaluate_${id}_cpu_ms`]: cpu,
    });
  }
  const store = parts.createResourceStore();
  const all = await timed(url, allRepetitions, async () => {
    const found: StoredObjective[] = [];
    for await (const page of store.scan(database.read, tenantId, 'slos')) {
      found.push(...page.map((record) => parts.objectiveOf(record)));
    }
    const request = { ...asked, objectives: found };
    const evaluated = (await parts.evaluateAllSlos(evaluationParts, request, new AbortController().signal)).size;
    if (evaluated !== objectives.length)
      throw new Error(`${evaluated} of ${objectives.length} objectives were evaluated`);
  });
  Object.assign(figures, { objectives: objectives.length, evaluate_all_ms: all.p50, evaluate_all_cpu_ms: all.cpu });
  const window = { first: lastMinute - dayMinutes + 1, end: lastMinute + 1 };
  const scope = { tenantId, gatewayId: busiest };
  const { p50, p99, cpu } = await timed(url, repetitions, () =>
    database.snapshot((executor) => parts.readSummary(executor, scope, window)),
  );
  return { ...figures, summary_p50_ms: p50, summary_p99_ms: p99, summary_cpu_ms: cpu };
}

/** Times of one work that is done again and again, and the processor time that each took on average, milliseconds. */
interface Timed {
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
}

async function timed(url: string, repetitions: number, work: () => Promise<unknown>): Promise<Timed> {
  const times: number[] = [];
  const before = cpuSeconds(url);
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const beganMs = performance.now();
    await work();
    times.push(performance.now() - beganMs);
  }
  const cpu = ((cpuSeconds(url) - before) / repetitions) * 1000;
  return { p50: quantile(times, 0.5) ?? 0, p99: quantile(times, 0.99) ?? 0, cpu };
}

/** @returns how many counters were sent */
async function fill(parts: ControlPlaneParts, database: Database, lastMinute: number): Promise<number> {
  const ingest = parts.createObservationIngest(database, Date.now);
  const traffic = new Traffic('fill', 7);
  const now = { atMs: 0, lateShare: 0, lateMsMax: 0 };
  // Some different minutes of ten routes, used again and again.
  const busy = Array.from({ length: 12 }, () => traffic.second(requestsPerMinute, now, 0).counters);
  const quiet = Array.from({ length: 60 }, () => traffic.second(60, now, 0).counters.slice(0, 1));
  let [sequence, counted] = [0, 0];
  for (const gatewayId of gatewayIds) {
    const node: Node = { kind: 'data_plane', id: 'node', tenantId, gatewayId };
    let counters: MinuteCounter[] = [];
    const flush = async (): Promise<void> => {
      sequence += 1;
      counted += counters.length;
      await ingest(node, batchOf('7f0c1d2e-0000-4000-8000-0000000000bb', sequence, { counters, records: [] }));
      counters = [];
    };
    for (let minute = lastMinute - windowMinutes; minute <= lastMinute; minute += 1) {
      const isLastDay = minute > lastMinute - dayMinutes;
      if (gatewayId !== busiest && !isLastDay && minute % 60 !== 0) continue;
      const source = gatewayId === busiest && isLastDay ? busy : quiet;
      for (const counter of source[minute % source.length] ?? []) counters.push({ ...counter, minute });
      if (counters.length > countersPerBatch - 10) await flush();
    }
    await flush();
  }
  return counted;
}
