import type { CutEvents, LastEvents } from '@portcullis/slo-engine';
import { sql } from 'kysely';
import type { Executor } from '../database/database.ts';

/** A minute that begins or ends some window, with what counters say of it. */
export interface CutMinute {
  /** Empty for all gateways of the tenant. */
  readonly gatewayId: string;
  readonly minute: number;
  /** Requests that were counted; more than 0. */
  readonly total: number;
}

/** What an objective asks about a cut minute. */
export interface CutQuestion {
  readonly gatewayId: string;
  readonly minute: number;
  /** `null`: failures. */
  readonly thresholdUs: number | null;
  /** The bad ones that were counted; `undefined` when counters bound them only. */
  readonly bad: number | undefined;
}

const minuteMs = 60_000;
/** Minutes that one statement asks for. */
const minutesPerStatement = 50;

/** The two parts of a minute: up to the moment at which windows begin and end, and after it. */
type Part = 'before' | 'after';

/** What raw records say of a part: how many there are, failed ones, and those above each threshold. */
interface PartCounts {
  readonly total: number;
  readonly failed: number;
  readonly slow: ReadonlyMap<number, number>;
}

const none: PartCounts = { total: 0, failed: 0, slow: new Map() };

/**
 * Minutes that windows cut, split by raw records where these are as many as the counters say. Sampling and retention thin them, so
 * they are counted first, in the index alone, and no further than the counters did: a minute that they cannot split costs little.
 * All windows end at one moment and have whole minutes, so all of them cut their minutes at the same place.
 */
export class CutMinutes {
  readonly #tenantId: string;
  readonly #nowMs: number;
  readonly #split = new Map<string, ReadonlyMap<Part, PartCounts>>();
  /** Scopes that have records of after now. */
  readonly #ahead = new Set<string>();

  constructor(tenantId: string, nowMs: number) {
    this.#tenantId = tenantId;
    this.#nowMs = nowMs;
  }

  /**
   * Reads what minutes need.
   * @param cuts minutes in which windows begin
   * @param lasts the minutes in which they end, one of each scope
   * @param thresholdsOf those that are asked of a scope
   */
  async read(
    executor: Executor,
    cuts: readonly CutMinute[],
    lasts: readonly CutMinute[],
    thresholdsOf: (gatewayId: string) => readonly number[],
  ): Promise<void> {
    const begins = [...new Map(cuts.map((minute) => [keyOf(minute), minute])).values()];
    const probes = lasts.map((minute) => ({ minute, fromMs: this.#nowMs + 1, most: 1 }));
    const counts = await this.#countsOf(executor, [...begins.map(wholeMinute), ...probes]);
    const ends = lasts.filter((_, index) => counts[begins.length + index] === 1);
    for (const { gatewayId } of ends) this.#ahead.add(gatewayId);
    const endCounts = await this.#countsOf(executor, ends.map(wholeMinute));
    const recorded = [
      ...begins.filter(({ total }, index) => counts[index] === total),
      ...ends.filter(({ total }, index) => endCounts[index] === total),
    ];
    for (const [gatewayId, some] of Map.groupBy(recorded, (minute) => minute.gatewayId)) {
      await this.#splitAll(executor, some, thresholdsOf(gatewayId));
    }
  }

  /** What of a minute in which a window begins lies inside; `undefined` when nobody knows. */
  inside(question: CutQuestion): CutEvents | undefined {
    return this.#part(question, 'after');
  }

  /** What of the minute in which windows end lies inside. `undefined`: all of it, as far as raw records tell. */
  last(question: CutQuestion): LastEvents | undefined {
    if (!this.#ahead.has(question.gatewayId)) return undefined;
    return this.#part(question, 'before') ?? 'cut';
  }

  #part(question: CutQuestion, part: Part): CutEvents | undefined {
    const split = this.#split.get(keyOf(question));
    if (split === undefined) return undefined;
    const { thresholdUs, bad } = question;
    const badOf = (name: Part): number => {
      const { failed, slow } = split.get(name) ?? none;
      return thresholdUs === null ? failed : (slow.get(thresholdUs) ?? 0);
    };
    const isWhole = bad === undefined || bad === badOf('before') + badOf('after');
    return isWhole ? { total: (split.get(part) ?? none).total, bad: badOf(part) } : undefined;
  }

  /** How many records there are, in the order of the questions. */
  async #countsOf(executor: Executor, all: readonly RecordsAsked[]): Promise<readonly number[]> {
    const counts = all.map(() => 0);
    for (const [group, some] of groupsOf(all).entries()) {
      const [first, ...others] = some.map(({ minute, fromMs, most }, index) => {
        const records = this.#within(executor, minute, fromMs)
          .select(sql<number>`1`.as('one'))
          .limit(most);
        const place = sql.lit(group * minutesPerStatement + index).as('place');
        return executor
          .selectFrom(records.as('records'))
          .select(({ fn }) => [place, fn.countAll<number>().as('total')]);
      });
      if (!first) break;
      const rows = await others.reduce((query, other) => query.unionAll(other), first).execute();
      for (const { place, total } of rows) counts[place] = total;
    }
    return counts;
  }

  /** Minutes of one scope. */
  async #splitAll(executor: Executor, minutes: readonly CutMinute[], thresholdsUs: readonly number[]): Promise<void> {
    for (const some of groupsOf(minutes)) {
      const [first, ...others] = some.map((minute, place) => this.#splitOf(executor, minute, place, thresholdsUs));
      if (!first) break;
      const rows = await others.reduce((query, other) => query.unionAll(other), first).execute();
      for (const [place, minute] of some.entries()) {
        const parts = rows
          .filter((row) => row.place === place)
          .map((row): [Part, PartCounts] => {
            const slow = new Map(thresholdsUs.map((threshold, index) => [threshold, row[`slow_${index}`] ?? 0]));
            return [row.is_after === 1 ? 'after' : 'before', { total: row.total, failed: row.failed, slow }];
          });
        this.#split.set(keyOf(minute), new Map(parts));
      }
    }
  }

  #splitOf(executor: Executor, minute: CutMinute, place: number, thresholdsUs: readonly number[]) {
    const cutMs = minute.minute * minuteMs + (this.#nowMs % minuteMs);
    // Numbers of our own, written out: a bound value would not be the same one in `group by`.
    const isAfter = sql<number>`case when occurred_at > ${sql.lit(cutMs)} then 1 else 0 end`;
    const slow = thresholdsUs.map((threshold, index) =>
      sql<number>`count(case when latency_us > ${sql.lit(threshold)} then 1 end)`.as(`slow_${index}`),
    );
    return this.#within(executor, minute, minute.minute * minuteMs)
      .select(({ fn }) => [
        sql.lit(place).as('place'),
        isAfter.as('is_after'),
        fn.countAll<number>().as('total'),
        sql<number>`count(case when status between 500 and 599 then 1 end)`.as('failed'),
      ])
      .$call((query) => query.select(slow))
      .groupBy(isAfter);
  }

  #within(executor: Executor, { gatewayId, minute }: CutMinute, fromMs: number) {
    return executor
      .selectFrom('observation_records')
      .where('tenant_id', '=', this.#tenantId)
      .where('occurred_at', '>=', fromMs)
      .where('occurred_at', '<', (minute + 1) * minuteMs)
      .$if(gatewayId !== '', (query) => query.where('gateway_id', '=', gatewayId));
  }
}

/** Records of a minute from a moment on, counted no further than needed. */
interface RecordsAsked {
  readonly minute: CutMinute;
  readonly fromMs: number;
  readonly most: number;
}

function wholeMinute(minute: CutMinute): RecordsAsked {
  return { minute, fromMs: minute.minute * minuteMs, most: minute.total + 1 };
}

function groupsOf<Item>(items: readonly Item[]): (readonly Item[])[] {
  const count = Math.ceil(items.length / minutesPerStatement);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * minutesPerStatement, (index + 1) * minutesPerStatement),
  );
}

function keyOf({ gatewayId, minute }: { readonly gatewayId: string; readonly minute: number }): string {
  return `${minute} ${gatewayId}`;
}
