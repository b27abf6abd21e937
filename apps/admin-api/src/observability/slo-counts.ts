import {
  type BurnRateWindow,
  burnRateWindowMinutes,
  burnRateWindows,
  type EventCounts,
  planWindow,
  WindowCounts,
  type WindowPlan,
} from '@portcullis/slo-engine';
import { sql } from 'kysely';
import type { Executor } from '../database/database.ts';
import { dayMs, retentionOf } from './retention-rules.ts';
import { type CutTotals, cutEvents } from './slo-cut-events.ts';
import { failedRequests, type SloCounter, type SloScope, slowCounters } from './slo-counters.ts';
import { segmentsOf } from './slo-ranges.ts';

/** Which requests are counted. */
export interface SloQuestion extends SloScope {
  /** The end of the window, which belongs to it. */
  readonly nowMs: number;
  readonly windowMinutes: number;
  /** Requests that took longer are bad; `null`: those with a status of 500 to 599. */
  readonly thresholdUs: number | null;
}

/** What observations say about a window. */
export interface SloObservations {
  readonly counts: EventCounts;
  /** The same of shorter periods, and longer ones, that end with the window. */
  readonly recent: Readonly<Record<BurnRateWindow, EventCounts>>;
  /** Of the window's events, to the minute or hour of a counter. */
  readonly observed: { readonly firstMs: number; readonly lastMs: number } | undefined;
  /** Since when observations can be there; `undefined` when there is no gateway. */
  readonly sinceMs: number | undefined;
  /** Requests of the scope that came in during the window and were refused as too old. */
  readonly droppedLate: number;
}

/**
 * Counts the requests of a window and of all burn-rate periods at once. Read it in a snapshot: counters of hours and minutes
 * have to agree. Memory is bounded whatever the number of gateways. Source: reliability rules, SLO engine.
 */
export async function readSloObservations(executor: Executor, question: SloQuestion): Promise<SloObservations> {
  const { nowMs, windowMinutes, thresholdUs } = question;
  const plan = planWindow({ nowMs, windowMinutes });
  const plans = new Map<BurnRateWindow, WindowPlan>(
    burnRateWindows.map((name) => [name, planWindow({ nowMs, windowMinutes: burnRateWindowMinutes[name] })]),
  );
  const windows = [plan, ...plans.values()].map((each) => new CountedWindow(each));
  const segments = segmentsOf([plan, ...plans.values()]);
  if (thresholdUs === null) {
    for (const counter of await failedRequests(executor, question, segments))
      for (const each of windows) each.add(counter);
  } else {
    for await (const counter of slowCounters(executor, question, segments, thresholdUs)) {
      for (const each of windows) each.add(counter);
    }
  }
  const [counted, ...recent] = windows;
  if (!counted) throw new RangeError('a window is always there');
  const counts = await counted.counts(executor, question);
  const recentCounts: [BurnRateWindow, EventCounts][] = [];
  for (const [index, name] of burnRateWindows.entries()) {
    const window = recent[index];
    if (window) recentCounts.push([name, await window.counts(executor, question)]);
  }
  return {
    counts,
    recent: Object.fromEntries(recentCounts) as Record<BurnRateWindow, EventCounts>,
    observed: counted.observed,
    sinceMs: await sinceWhen(executor, question, counted.observed?.firstMs),
    droppedLate: await droppedLate(executor, question, plan),
  };
}

/** A window with its counters, and what they say of the minute that it cuts. */
class CountedWindow {
  readonly #plan: WindowPlan;
  readonly #counts: WindowCounts;
  #cutTotal = 0;
  #cutBad: number | undefined = 0;
  #first = Number.POSITIVE_INFINITY;
  #end = Number.NEGATIVE_INFINITY;

  constructor(plan: WindowPlan) {
    this.#plan = plan;
    this.#counts = new WindowCounts(plan);
  }

  add(counter: SloCounter): void {
    const { cut, whole } = this.#plan;
    this.#counts.add(counter);
    const isIn = (range: (typeof whole)[number]): boolean =>
      range.grainMinutes === counter.grainMinutes && range.first <= counter.first && counter.first < range.end;
    const isCut = isIn(cut);
    if (isCut) {
      this.#cutTotal += counter.total;
      this.#cutBad =
        typeof counter.bad === 'number' && this.#cutBad !== undefined ? this.#cutBad + counter.bad : undefined;
    }
    if (!isCut && !whole.some(isIn)) return;
    this.#first = Math.min(this.#first, counter.observed.first);
    this.#end = Math.max(this.#end, counter.observed.end);
  }

  async counts(executor: Executor, question: SloQuestion): Promise<EventCounts> {
    if (!this.#counts.needsCutEvents) return this.#counts.counts();
    const counted: CutTotals = { total: this.#cutTotal, bad: this.#cutBad };
    return this.#counts.counts(await cutEvents(executor, question, this.#plan, question.thresholdUs, counted));
  }

  get observed(): { readonly firstMs: number; readonly lastMs: number } | undefined {
    if (this.#first > this.#end) return undefined;
    const { fromMs, toMs } = this.#plan;
    return {
      firstMs: Math.max(this.#first * 60_000, fromMs + 1),
      lastMs: Math.min(this.#end * 60_000 - 1, toMs),
    };
  }
}

/** The later of when counters begin to be kept and when somebody could have sent any. */
async function sinceWhen(
  executor: Executor,
  { tenantId, gatewayId, nowMs }: SloQuestion,
  observedMs: number | undefined,
): Promise<number | undefined> {
  const row = await executor
    .selectFrom('resources')
    .select(({ fn }) => fn.min<number | null>('created_at').as('created_at'))
    .where('collection', '=', `gateways/${tenantId}`)
    .$if(gatewayId !== '', (query) => query.where('id', '=', gatewayId))
    .executeTakeFirst();
  const begun = [row?.created_at ?? undefined, observedMs].filter((ms) => ms !== undefined);
  if (begun.length === 0) return undefined;
  const { rollupDays } = await retentionOf(executor, tenantId);
  return Math.max(Math.min(...begun), nowMs - rollupDays * dayMs);
}

async function droppedLate(executor: Executor, question: SloScope, { fromMs, toMs }: WindowPlan): Promise<number> {
  const hourOf = (ms: number): number => Math.floor(ms / 3_600_000) * 60;
  const row = await executor
    .selectFrom('observation_drops')
    .select(({ fn }) => fn.sum<number | null>(sql`dropped_late * 1.0`).as('late'))
    .where('tenant_id', '=', question.tenantId)
    .where('minute', '>=', hourOf(fromMs))
    .where('minute', '<=', hourOf(toMs))
    .$if(question.gatewayId !== '', (query) => query.where('gateway_id', '=', question.gatewayId))
    .executeTakeFirst();
  return Math.min(Math.round(row?.late ?? 0), Number.MAX_SAFE_INTEGER);
}
