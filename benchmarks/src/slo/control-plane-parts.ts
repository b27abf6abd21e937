import type { ObservationBatch } from '@portcullis/resources';

/** A connection's transaction, which the bench only hands on. */
export type Transaction = object;

/** The control plane's database, as far as the bench asks it. */
export interface Database {
  readonly read: object;
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  snapshot<Result>(work: (executor: object) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Who sends a batch. */
export interface Node {
  readonly kind: 'data_plane';
  readonly id: string;
  readonly tenantId: string;
  readonly gatewayId: string;
}

/** An objective as evaluations know it, and a record as the store does. */
export interface StoredObjective {
  readonly id: string;
  readonly gatewayId: string;
}

/** What is stored of an objective after an evaluation. */
export interface EvaluatedSlo {
  readonly evaluation: {
    readonly state: string;
    readonly total_events: number;
    readonly bad_events: number;
    readonly exact: boolean;
    readonly dropped_late: number;
  } | null;
}

/** Which objectives are evaluated. */
export interface EvaluationRequest {
  readonly tenantId: string;
  readonly objectives: readonly StoredObjective[];
  readonly clock: () => number;
  readonly by: string;
}

/** The control plane's own parts, from its source: what is measured is what runs. */
export interface ControlPlaneParts {
  openDatabase(options: { url: string; log: object }): Promise<Database>;
  createObservationIngest(
    database: Database,
    nowMs: () => number,
  ): (node: Node, batch: ObservationBatch) => Promise<void>;
  evaluateSlos(
    parts: { database: Database; newId: () => string },
    request: EvaluationRequest,
  ): Promise<ReadonlyMap<string, EvaluatedSlo>>;
  evaluateAllSlos(
    parts: { database: Database; newId: () => string },
    request: EvaluationRequest,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, EvaluatedSlo>>;
  objectiveOf(record: object): StoredObjective;
  createSloBehaviour(parts: { newId: () => string }): { afterWrite(change: object): Promise<void> };
  createResourceStore(): {
    insert(transaction: Transaction, write: object): Promise<{ ok: boolean }>;
    scan(executor: object, tenantId: string, family: string): AsyncIterable<readonly object[]>;
  };
  readSummary(
    executor: object,
    scope: { tenantId: string; gatewayId: string | undefined },
    window: { first: number; end: number },
  ): Promise<object>;
}

const modules = [
  'database/open-database.ts',
  'observability/observation-ingest.ts',
  'observability/read-summary.ts',
  'slos/evaluate-slos.ts',
  'slos/slo-behaviour.ts',
  'slos/slo-definition.ts',
  'store/create-resource-store.ts',
] as const;

/** Loads the parts. */
export async function controlPlaneParts(): Promise<ControlPlaneParts> {
  const loaded = await Promise.all(
    modules.map(
      (path): Promise<object> => import(new URL(`../../../apps/admin-api/src/${path}`, import.meta.url).href),
    ),
  );
  return Object.assign({}, ...loaded) as ControlPlaneParts;
}

/** A log that says what goes wrong and nothing else. */
export const quietLog = {
  debug: (): void => undefined,
  info: (): void => undefined,
  warn: console.error,
  error: console.error,
};
