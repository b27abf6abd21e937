import { burnRateWindows, sloMetrics, wholeWindow } from '@portcullis/slo-engine';
import { sloAlertStates } from '@portcullis/resources';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import type { SloStateRow } from '../database/slo-tables.ts';
import type { Log } from '../logging.ts';
import { stateOfRow } from './slo-states.ts';

/** Objectives that have series, of about a dozen each. How many have none is a metric too. */
export const slosExposedMax = 1000;

/** What the metrics are read from. */
export interface SloMetricsParts {
  readonly database: Pick<Database, 'read'>;
  readonly registry: Registry;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * States and burn rates on `/metrics`, as the last evaluations left them: a scrape evaluates nothing. Labels carry IDs. While the
 * database is away there are no samples, and the rest of the page stays. Source: wire contract, Metrics; decisions, 18.
 */
export function exposeSloMetrics({ database, registry, log }: SloMetricsParts): void {
  // A scrape asks all metrics at once: the first question reads for all of them.
  let reading: Promise<void> | undefined;
  const collect = (): Promise<void> =>
    (reading ??= read().finally(() => {
      reading = undefined;
    }));
  const gauge = (name: string, help: string, labelNames: readonly string[]) => {
    const made = new Gauge({ name, help, labelNames, registers: [], collect });
    registry.registerMetric(made);
    return made;
  };
  const slo = ['tenant', 'slo'];
  const burnRate = gauge(sloMetrics.burnRate, 'How many times as fast as allowed the error budget is used', [
    ...slo,
    'window',
  ]);
  const state = gauge(sloMetrics.state, '1 for the state of the alert, 0 for the others', [...slo, 'state']);
  const budget = gauge(
    sloMetrics.budgetRemaining,
    'Share of the error budget that is left; below 0 it is overdrawn',
    slo,
  );
  const evaluatedAt = gauge(sloMetrics.evaluatedAt, 'When the objective was evaluated last, seconds since 1970', slo);
  const unseen = `Objectives without series of their own, because only ${slosExposedMax} have some`;
  const hidden = gauge('portcullis_slos_without_series', unseen, []);

  function show(row: ShownRow): void {
    const labels = { tenant: row.tenant_id, slo: row.id };
    const { alert, evaluation } = stateOfRow(row);
    for (const each of sloAlertStates) state.set({ ...labels, state: each }, each === alert.state ? 1 : 0);
    if (evaluation === null) return;
    evaluatedAt.set(labels, (row.evaluated_at ?? 0) / 1000);
    const { burn_rate: whole, burn_rates: rates, error_budget_remaining_percent: remaining } = evaluation;
    if (remaining !== null) budget.set(labels, remaining / 100);
    if (whole !== null) burnRate.set({ ...labels, window: wholeWindow }, whole);
    for (const window of burnRateWindows) {
      const rate = rates[window];
      if (rate !== null) burnRate.set({ ...labels, window }, rate);
    }
  }

  async function read(): Promise<void> {
    let rows: readonly ShownRow[] = [];
    try {
      rows = await shownStates(database, slosExposedMax);
      hidden.set(rows.length < slosExposedMax ? 0 : (await countSlos(database)) - rows.length);
    } catch (error) {
      log.warn({ err: error }, 'could not read the states of objectives for the metrics');
    }
    for (const each of [burnRate, state, budget, evaluatedAt]) each.reset();
    for (const row of rows) show(row);
  }
}

/** What of a state is shown. */
export type ShownRow = Pick<SloStateRow, 'tenant_id' | 'id' | 'evaluation' | 'alert' | 'evaluated_at'>;

/**
 * The states that are shown: of each tenant as many as of any other, so that none takes the series of others. Of one tenant those
 * that alert come first, then the order of IDs.
 */
export function shownStates(database: Pick<Database, 'read'>, most: number): Promise<ShownRow[]> {
  // Quotation marks in notes are escaped, so this is the state and nothing else.
  const severity = sql`case when alert like '%"state":"critical"%' then 0 when alert like '%"state":"warning"%' then 1 else 2 end`;
  return database.read
    .selectFrom(({ selectFrom }) =>
      selectFrom('slo_states')
        .select(['tenant_id', 'id', 'evaluation', 'alert', 'evaluated_at'])
        .select(sql<number>`row_number() over (partition by tenant_id order by ${severity}, id)`.as('place'))
        .as('placed'),
    )
    .select(['tenant_id', 'id', 'evaluation', 'alert', 'evaluated_at'])
    .orderBy('place')
    .orderBy('tenant_id')
    .limit(most)
    .execute();
}

async function countSlos(database: Pick<Database, 'read'>): Promise<number> {
  const { total } = await database.read
    .selectFrom('slo_states')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
