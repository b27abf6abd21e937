import { coveragePercent, evaluateObjective, nextAlertState, type Evaluation } from '@portcullis/slo-engine';
import { ROWS_PER_STATEMENT } from '../database/chunks.ts';
import type { Database, Executor } from '../database/database.ts';
import { readSloObservations } from '../observability/slo-counts.ts';
import type { StoredObjective } from './slo-definition.ts';
import {
  alertRecordOf,
  lockStates,
  type SloState,
  stateOfRow,
  type StateWriteParts,
  writeState,
} from './slo-states.ts';

/** What evaluations work with. */
export interface EvaluationParts extends StateWriteParts {
  readonly database: Database;
}

/** One evaluation of some objectives of a tenant. */
export interface EvaluationRequest {
  readonly tenantId: string;
  /** At most as many as one transaction should hold locks of. */
  readonly objectives: readonly StoredObjective[];
  /** Says when it is, milliseconds since 1970: asked once what is counted is known. */
  readonly clock: () => number;
  /** Who asks for it. */
  readonly by: string;
}

/** What is stored of an objective after an evaluation. */
export interface EvaluatedSlo extends SloState {
  /** Of the definition that is stored. Another one than was evaluated: the objective was changed meanwhile. */
  readonly version: number;
}

/**
 * Objectives, and gateways that they are about, of one snapshot: it is held for as long as reading them takes, and on SQLite snapshots
 * wait for each other. A gateway's counters are read once in a snapshot, however many of its objectives are in it.
 */
const perSnapshot = { objectivesMax: ROWS_PER_STATEMENT, gatewaysMax: 4 };

/** Where the counts come from: what gateways counted of every request, sampled or not. */
const source = 'counters';

/**
 * Judges objectives and stores what it finds: the counts of all from one view of the database, then all results in one
 * transaction. A result that is older than what is stored, by its time or its definition, is dropped.
 * @returns what is stored then, by ID; those that were deleted meanwhile are left out
 */
export async function evaluateSlos(
  parts: EvaluationParts,
  request: EvaluationRequest,
): Promise<ReadonlyMap<string, EvaluatedSlo>> {
  const { tenantId, objectives } = request;
  const { nowMs, evaluations } = await parts.database.snapshot((executor) => judged(executor, request));
  const ids = objectives.map(({ id }) => id);
  return parts.database.transaction(async (transaction) => {
    const rows = await lockStates(transaction, tenantId, ids);
    const stored = new Map<string, EvaluatedSlo>();
    for (const { id, version: definitionVersion } of objectives) {
      const [row, evaluation] = [rows.get(id), evaluations.get(id)];
      if (!row || !evaluation) continue;
      const event = { evaluation, atMs: nowMs, definitionVersion, by: request.by };
      const outcome = nextAlertState(alertRecordOf(row), { type: 'evaluated', ...event });
      if (!outcome.ok || !outcome.isApplied) {
        stored.set(id, { ...stateOfRow(row), version: row.definition_revision });
        continue;
      }
      const { record, timelineEvent } = outcome;
      await writeState(transaction, parts, { row, record, timelineEvent }, { evaluation: JSON.stringify(evaluation) });
      stored.set(id, { evaluation, alert: record.alert, version: definitionVersion });
    }
    return stored;
  });
}

/**
 * Evaluates many objectives of a tenant, those of one gateway together.
 * @param signal ends it between two snapshots: what was evaluated is stored
 */
export async function evaluateAllSlos(
  parts: EvaluationParts,
  { objectives, ...request }: EvaluationRequest,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, EvaluatedSlo>> {
  const stored = new Map<string, EvaluatedSlo>();
  for (const some of snapshotsOf(objectives)) {
    signal.throwIfAborted();
    for (const [id, state] of await evaluateSlos(parts, { ...request, objectives: some })) stored.set(id, state);
  }
  return stored;
}

function snapshotsOf(objectives: readonly StoredObjective[]): StoredObjective[][] {
  const snapshots: StoredObjective[][] = [];
  let gateways = new Set<string>();
  for (const own of Map.groupBy(objectives, ({ gatewayId }) => gatewayId).values()) {
    for (const objective of own) {
      const last = snapshots.at(-1);
      const isFull = gateways.size === perSnapshot.gatewaysMax && !gateways.has(objective.gatewayId);
      if (last && last.length < perSnapshot.objectivesMax && !isFull) last.push(objective);
      else {
        snapshots.push([objective]);
        gateways = new Set();
      }
      gateways.add(objective.gatewayId);
    }
  }
  return snapshots;
}

async function judged(
  executor: Executor,
  { tenantId, objectives, clock }: EvaluationRequest,
): Promise<{ readonly nowMs: number; readonly evaluations: ReadonlyMap<string, Evaluation> }> {
  const questions = objectives.map(({ gatewayId, thresholdUs, definition }) => ({
    gatewayId,
    thresholdUs,
    windowMinutes: definition.evaluation_window_minutes,
  }));
  const { nowMs, observations } = await readSloObservations(executor, tenantId, questions, clock);
  const evaluations = new Map<string, Evaluation>();
  for (const [index, { id, definition }] of objectives.entries()) {
    const found = observations[index];
    if (!found) continue;
    const window = { fromMs: nowMs - definition.evaluation_window_minutes * 60_000, toMs: nowMs };
    const { counts, recent, observed, sinceMs, droppedLate } = found;
    const told = { nowMs, source, observed, droppedLate, recent, coveragePercent: coveragePercent(window, sinceMs) };
    evaluations.set(id, evaluateObjective(definition, counts, told));
  }
  return { nowMs, evaluations };
}
