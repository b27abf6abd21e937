import { observationLimits, type MinuteCounter } from '@portcullis/resources';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database } from '../database/database.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { partsMax, partLimits } from './batch-parts.ts';
import { ComparedReader } from './compared-thresholds.ts';
import { createObservationIngest } from './observation-ingest.ts';
import { batch, counter, minute, nodeOf, nowMs, record } from './observations.test-support.ts';
import { readHistogram } from './histogram-text.ts';

/** A request that a node saw. */
interface SeenRequest {
  readonly minute: number;
  readonly route: string;
  readonly status: number;
  readonly bin: number;
  readonly over: boolean;
}

const seen: fc.Arbitrary<SeenRequest> = fc.record({
  // From before the retention of counters, over late ones, to the future.
  minute: fc.oneof(
    fc.integer({ min: minute - 90 * 1440 - 2, max: minute - 90 * 1440 + 2 }),
    fc.integer({ min: minute - 70, max: minute + 7 }),
  ),
  route: fc.constantFrom('r1', 'r2', 'r3'),
  status: fc.constantFrom(200, 404, 499, 500, 599),
  bin: fc.nat({ max: 3000 }),
  over: fc.boolean(),
});

const sending = fc.record({
  node: fc.constantFrom('n1', 'n2', 'n3'),
  requests: fc.array(seen, { maxLength: 30 }),
  /** How often the node sends it, and how often the service dies in the middle of that. */
  times: fc.integer({ min: 1, max: 3 }),
  crashes: fc.integer({ min: 0, max: 2 }),
});

function countersOf(requests: readonly SeenRequest[]): MinuteCounter[] {
  return requests.map(({ minute: at, route, status, bin, over }) => ({
    ...counter,
    minute: at,
    route_id: route,
    service_id: 's',
    requests: 1,
    errors_4xx: status >= 400 && status < 500 ? 1 : 0,
    errors_5xx: status >= 500 ? 1 : 0,
    statuses: [[status, 1]],
    histogram: [[bin, 1]],
    over: [[250_000, over ? 1 : 0]],
  }));
}

/** A database whose process ends before the next commits. */
function dying(database: Database, crashes: number): Database {
  let left = crashes;
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (transaction) => {
        const result = await work(transaction);
        left -= 1;
        if (left >= 0) throw new Error('the process is gone');
        return result;
      }),
  };
}

describeOnEachDatabase('counters against every event', (context) => {
  it('are exact after batches that came late, twice, in any order, side by side, and over crashes', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(sending, { minLength: 1, maxLength: 6 }), fc.nat(), async (sendings, order) => {
        run += 1;
        const tenantId = `oracle-${run}`;
        const posts = sendings.flatMap(({ node, requests, times, crashes }, index) =>
          Array.from({ length: times }, (_, time) => ({
            node,
            batch: batch(index + 1, { counters: countersOf(requests) }),
            crashes: time === 0 ? crashes : 0,
            key: (index * 7919 + time * 104_729 + order) % 1009,
          })),
        );
        const shuffled = posts.toSorted((left, right) => left.key - right.key);
        await Promise.all(
          shuffled.map(async ({ node, batch: sent, crashes }) => {
            const ingest = createObservationIngest(dying(context.database(), crashes), () => nowMs);
            const send = (): Promise<unknown> => ingest(nodeOf(tenantId, node), sent).catch(send);
            await send();
          }),
        );
        const events = sendings.flatMap(({ requests }) => requests);
        const counted = events.filter((one) => one.minute >= minute - 90 * 1440 && one.minute <= minute + 5);
        expect(await storedOf(context.database(), tenantId)).toEqual(oracleOf(counted));
        const { late, future } = await dropsOf(context.database(), tenantId);
        expect(late).toBe(BigInt(events.filter((one) => one.minute < minute - 90 * 1440).length));
        expect(future).toBe(BigInt(events.filter((one) => one.minute > minute + 5).length));
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it('count a long batch once although the service died between its parts', async () => {
    const counters = Array.from({ length: 1300 }, (_, index) => ({
      ...counter,
      route_id: `r${index}`,
      over: [[250_000, 1]] as [number, number][],
    }));
    const records = Array.from({ length: 2000 }, (_, index) => record(`long-${index}`));
    const sent = batch(1, { counters, records, dropped_records: 5 });
    let transactions = 0;
    const database = context.database();
    const failing: Database = {
      ...database,
      transaction: (work) => {
        transactions += 1;
        // The second part fails, and again when it is tried alone.
        if (transactions === 2) return Promise.reject(new Error('the process is gone'));
        return database.transaction(work);
      },
    };
    await expect(createObservationIngest(failing, () => nowMs)(nodeOf('long'), sent)).rejects.toThrow('gone');
    for (const _again of [1, 2]) await createObservationIngest(database, () => nowMs)(nodeOf('long'), sent);
    const gateway = (await storedOf(database, 'long')).get(`gateway_minute ${minute} `);
    expect(gateway).toMatchObject({ requests: 3900n });
    const { n } = await database.read
      .selectFrom('observation_records')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('tenant_id', '=', 'long')
      .executeTakeFirstOrThrow();
    expect(n).toBe(2000);
    expect((await dropsOf(database, 'long')).records).toBe(5n);
  });

  it('have parts that the migration knows of', () => {
    expect(partsMax).toBe(10);
    expect(partLimits).toEqual({ counters: 500, records: 1000 });
    expect(observationLimits.countersMax / partLimits.counters).toBe(10);
  });
});

interface Counts {
  requests: bigint;
  errors5xx: bigint;
  statuses: Map<number, bigint>;
  bins: Map<number, bigint>;
  over: bigint;
}

function oracleOf(events: readonly SeenRequest[]): Map<string, Counts> {
  const rows = new Map<string, Counts>();
  for (const event of events) {
    const hour = event.minute - (event.minute % 60);
    const keys = [
      `route_minute ${event.minute} ${event.route}`,
      `route_hour ${hour} ${event.route}`,
      `gateway_minute ${event.minute} `,
      `gateway_hour ${hour} `,
    ];
    for (const key of keys) {
      let row = rows.get(key);
      if (!row) rows.set(key, (row = { requests: 0n, errors5xx: 0n, statuses: new Map(), bins: new Map(), over: 0n }));
      row.requests += 1n;
      if (event.status >= 500) row.errors5xx += 1n;
      if (event.over) row.over += 1n;
      row.statuses.set(event.status, (row.statuses.get(event.status) ?? 0n) + 1n);
      row.bins.set(event.bin, (row.bins.get(event.bin) ?? 0n) + 1n);
    }
  }
  return rows;
}

async function storedOf(database: Database, tenantId: string): Promise<Map<string, Counts>> {
  const rows = await database.read
    .selectFrom('observation_counters')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .execute();
  return new Map(
    rows.map((row) => {
      const bins = new Map<number, bigint>();
      readHistogram(row.histogram, (bin, count) => bins.set(bin, BigInt(count)));
      const pairs = (text: string): [number, bigint][] =>
        (JSON.parse(text) as [number, number][]).map(([key, count]) => [key, BigInt(count)]);
      const reader = new ComparedReader([250_000]);
      reader.read(row.over_thresholds);
      const [over = 0, compared = 0] = [reader.over[0], reader.compared[0]];
      expect(compared).toBe(row.requests);
      return [
        `${row.grain} ${row.minute} ${row.route_id}`,
        {
          requests: BigInt(row.requests),
          errors5xx: BigInt(row.errors_5xx),
          statuses: new Map(pairs(row.statuses)),
          bins,
          over: BigInt(over),
        },
      ];
    }),
  );
}

async function dropsOf(database: Database, tenantId: string) {
  const rows = await database.read
    .selectFrom('observation_drops')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .execute();
  const sum = (of: (row: (typeof rows)[number]) => number): bigint =>
    rows.reduce((total, row) => total + BigInt(of(row)), 0n);
  return {
    late: sum((row) => row.dropped_late),
    future: sum((row) => row.dropped_future),
    records: sum((row) => row.dropped_records),
  };
}
