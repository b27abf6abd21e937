import {
  type BurnRateWindow,
  burnRateWindowMinutes,
  burnRateWindows,
  type EventCounts,
  planWindow,
  type WindowPlan,
} from '@portcullis/slo-engine';
import type { Executor } from '../database/database.ts';
import { CountedWindow, type ScopedThreshold } from './counted-window.ts';
import { type CutMinute, CutMinutes } from './slo-cut-events.ts';
import { counterPages, histogramPages, type SloCounterRow } from './slo-counters.ts';
import { readDroppedLate, readSloFacts } from './slo-facts.ts';
import { segmentsOf } from './slo-ranges.ts';
import { SegmentSums, type SloCounter } from './slo-sums.ts';

/** Which requests are counted. */
export interface SloQuestion extends ScopedThreshold {
  /** To now, which belongs to it. */
  readonly windowMinutes: number;
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

/** What several questions found, all at one moment. */
export interface ReadObservations {
  readonly nowMs: number;
  /** In the order of the questions. */
  readonly observations: readonly SloObservations[];
}

/**
 * Most requests of a minute that is split for a burn-rate period. Beyond it the minute counts whole: these rates have no bounds to be
 * shown, and reading every record for them takes longer than all else.
 */
const recentSplitMax = 5000;

/**
 * Answers questions of a tenant, each with its window and all burn-rate periods. Counters are read once for each gateway and added
 * up by the segments that its windows have in common. Read it in a snapshot: counters of hours and minutes have to agree. Memory is
 * bounded whatever the number of gateways. Source: reliability rules, SLO engine.
 * @param clock is asked once the snapshot is taken, so that what happens later cannot be in it
 */
export async function readSloObservations(
  executor: Executor,
  tenantId: string,
  questions: readonly SloQuestion[],
  clock: () => number,
): Promise<ReadObservations> {
  const scopes = Map.groupBy(questions, ({ gatewayId }) => gatewayId);
  const facts = await readSloFacts(executor, tenantId, [...scopes.keys()]);
  const nowMs = clock();
  const windowsMinutes = [...new Set(questions.map(({ windowMinutes }) => windowMinutes))];
  if (windowsMinutes.length === 0) return { nowMs, observations: [] };
  const gatewayIds = [...scopes.keys()];
  const droppedLate = await readDroppedLate(executor, tenantId, { nowMs, gatewayIds, windowsMinutes });
  const counted = new Map<string, ScopeCounts>();
  for (const [gatewayId, own] of scopes) {
    counted.set(gatewayId, await readScope(executor, { tenantId, gatewayId }, own, nowMs));
  }
  const cut = new CutMinutes(tenantId, nowMs);
  const all = [...counted.values()];
  const cuts = all.flatMap((scope) => scope.cuts());
  const lasts = all.flatMap((scope) => scope.lasts());
  await cut.read(executor, cuts, lasts, (gatewayId) => counted.get(gatewayId)?.thresholdsUs ?? []);
  const observations = questions.map((question) => {
    const { gatewayId, windowMinutes } = question;
    const scope = counted.get(gatewayId);
    if (!scope) throw new RangeError('every scope was read');
    const window = scope.window(question, windowMinutes);
    const { observed } = window;
    return {
      counts: window.counts(cut),
      recent: scope.recent(question, cut),
      observed,
      sinceMs: facts.sinceMs(gatewayId, nowMs, observed?.firstMs),
      droppedLate: droppedLate(gatewayId, windowMinutes),
    };
  });
  return { nowMs, observations };
}

async function readScope(
  executor: Executor,
  scope: { readonly tenantId: string; readonly gatewayId: string },
  questions: readonly SloQuestion[],
  nowMs: number,
): Promise<ScopeCounts> {
  const counts = new ScopeCounts(scope.gatewayId, questions, nowMs);
  const segments = segmentsOf([...counts.plans.values()]);
  const sums = new SegmentSums(segments, counts.thresholdsUs);
  for await (const page of counterPages(executor, scope, segments, counts.thresholdsUs.length > 0)) {
    const uncompared: SloCounterRow[] = page.filter((row) => !sums.add(row));
    for await (const histograms of histogramPages(executor, scope.tenantId, uncompared)) {
      for (const [row, histogram] of histograms) sums.addWithHistogram(row, histogram);
    }
  }
  counts.sums = sums;
  return counts;
}

/** What was counted of a scope. */
class ScopeCounts {
  readonly plans: ReadonlyMap<number, WindowPlan>;
  readonly thresholdsUs: readonly number[];
  sums: SegmentSums | undefined;
  readonly #gatewayId: string;
  readonly #asked: ReadonlySet<number>;
  readonly #judged = new Map<number | null, readonly SloCounter[]>();
  readonly #windows = new Map<string, CountedWindow>();
  readonly #recent = new Map<number | null, Readonly<Record<BurnRateWindow, EventCounts>>>();

  constructor(gatewayId: string, questions: readonly SloQuestion[], nowMs: number) {
    this.#gatewayId = gatewayId;
    this.#asked = new Set(questions.map(({ windowMinutes }) => windowMinutes));
    const windows = new Set([...this.#asked, ...Object.values(burnRateWindowMinutes)]);
    this.plans = new Map(
      Array.from(windows, (windowMinutes) => [windowMinutes, planWindow({ nowMs, windowMinutes })] as const),
    );
    this.thresholdsUs = [...new Set(questions.flatMap(({ thresholdUs }) => thresholdUs ?? []))];
  }

  /** A window of one kind of objective. */
  window({ thresholdUs }: ScopedThreshold, windowMinutes: number): CountedWindow {
    const key = `${windowMinutes} ${thresholdUs ?? ''}`;
    const known = this.#windows.get(key);
    const plan = this.plans.get(windowMinutes);
    if (known) return known;
    if (!plan || !this.sums) throw new RangeError('every window was read');
    const window = new CountedWindow(plan, { gatewayId: this.#gatewayId, thresholdUs });
    for (const counter of this.#counters(thresholdUs, this.sums)) window.add(counter);
    this.#windows.set(key, window);
    return window;
  }

  #counters(thresholdUs: number | null, sums: SegmentSums): readonly SloCounter[] {
    const known = this.#judged.get(thresholdUs) ?? sums.counters(thresholdUs);
    this.#judged.set(thresholdUs, known);
    return known;
  }

  /** Burn-rate periods, the same for all windows. */
  recent(question: ScopedThreshold, cut: CutMinutes): Readonly<Record<BurnRateWindow, EventCounts>> {
    const known = this.#recent.get(question.thresholdUs);
    if (known) return known;
    const periods = Object.fromEntries(
      burnRateWindows.map((name) => [name, this.window(question, burnRateWindowMinutes[name]).counts(cut)]),
    ) as Record<BurnRateWindow, EventCounts>;
    this.#recent.set(question.thresholdUs, periods);
    return periods;
  }

  /** Minutes that windows cut and that have requests. */
  cuts(): CutMinute[] {
    return [...this.plans].flatMap(([windowMinutes, { cut }]) => {
      const total = this.window(this.#any, windowMinutes).cutTotal;
      const isWanted = total > 0 && (this.#asked.has(windowMinutes) || total <= recentSplitMax);
      return isWanted ? [{ gatewayId: this.#gatewayId, minute: cut.first, total }] : [];
    });
  }

  /** The minute in which all of them end, if it has requests. */
  lasts(): CutMinute[] {
    const [first] = this.plans;
    if (!first) return [];
    const [windowMinutes, { last }] = first;
    const total = this.window(this.#any, windowMinutes).lastTotal;
    return total > 0 ? [{ gatewayId: this.#gatewayId, minute: last.first, total }] : [];
  }

  /** All kinds count the same requests. */
  get #any(): ScopedThreshold {
    return { gatewayId: this.#gatewayId, thresholdUs: this.thresholdsUs[0] ?? null };
  }
}
