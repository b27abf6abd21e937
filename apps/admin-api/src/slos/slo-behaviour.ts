import { createdAlert, nextAlertState } from '@portcullis/slo-engine';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { Problem } from '../http/problem.ts';
import { nameOfActor } from '../resources/actor.ts';
import type { FamilyBehaviour, WrittenChange } from '../resources/family-behaviour.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { objectiveOf, sloFamily, type StoredObjective } from './slo-definition.ts';
import {
  addToTimeline,
  alertRecordOf,
  lockStates,
  readStates,
  type SloState,
  type StateWriteParts,
  writeState,
} from './slo-states.ts';
import { demandRoomForThreshold, isCountedFor } from './slo-thresholds.ts';

/** Objectives of one tenant: evaluating all of them answers with all of them. */
export const slosPerTenantMax = 5000;

const unevaluated: SloState = { evaluation: null, alert: createdAlert(null, 0).record.alert };

/** Last segments of paths that are no objective. */
const reservedIds: ReadonlySet<string> = new Set(['evaluate', 'prometheus-rules', 'grafana-dashboard']);

/**
 * What is special about objectives: a row beside each record, with its alert and what evaluations find; and thresholds, with which
 * the configuration of gateways moves. Source: spec, SLO object; reliability rules, SLO engine.
 */
export function createSloBehaviour(parts: StateWriteParts): FamilyBehaviour {
  return {
    async prepare({ id, values, stored }) {
      if (stored || !reservedIds.has(id)) return { ok: true, body: values };
      return {
        ok: false,
        problems: [{ pointer: '/id', code: 'reserved', message: 'stands for something else in paths' }],
      };
    },
    async afterWrite(change) {
      const { transaction, before, after } = change;
      if (after && !before) await begin(transaction, parts, change, after);
      if (after && before) await update(transaction, parts, change, after);
      await moveGateways(change);
    },
    async liveFields(executor, tenantId, records) {
      const ids = records.map(({ id }) => id);
      const states = await readStates(executor, tenantId, ids);
      // Of an objective that is deleted meanwhile nothing is known any more.
      return new Map(records.map(({ id }) => [id, { ...(states.get(id) ?? unevaluated) }]));
    },
  };
}

async function begin(
  transaction: Transaction<Tables>,
  { newId }: StateWriteParts,
  { principal }: WrittenChange,
  created: StoredRecord,
): Promise<void> {
  const { tenantId, id, createdAtMs } = created;
  const { gatewayId, thresholdUs, version } = objectiveOf(created);
  await demandRoom(transaction, tenantId);
  const { record, timelineEvent } = createdAlert(nameOfActor(principal), createdAtMs);
  await transaction
    .insertInto('slo_states')
    .values({
      tenant_id: tenantId,
      id,
      family: sloFamily,
      gateway_id: gatewayId,
      threshold_us: thresholdUs,
      definition_revision: version,
      evaluated_at: null,
      evaluation: null,
      alert: JSON.stringify(record.alert),
      last_sequence: 1,
      last_at: createdAtMs,
    })
    .execute();
  await addToTimeline(transaction, { tenantId, sloId: id, sequence: 1, id: newId() }, timelineEvent, createdAtMs);
}

async function update(
  transaction: Transaction<Tables>,
  parts: StateWriteParts,
  { principal }: WrittenChange,
  updated: StoredRecord,
): Promise<void> {
  const { gatewayId, thresholdUs, version } = objectiveOf(updated);
  const rows = await lockStates(transaction, updated.tenantId, [updated.id]);
  const row = rows.get(updated.id);
  if (!row) throw new RangeError(`the objective ${updated.id} has no state`);
  const event = { by: nameOfActor(principal), atMs: updated.updatedAtMs, definitionVersion: version };
  const outcome = nextAlertState(alertRecordOf(row), { type: 'updated', ...event });
  if (!outcome.ok) throw new Problem(outcome.code, outcome.message);
  const { record, timelineEvent } = outcome;
  await writeState(
    transaction,
    parts,
    { row, record, timelineEvent },
    { gateway_id: gatewayId, threshold_us: thresholdUs },
  );
}

/** Tells gateways whose thresholds the write changes, and refuses thresholds that are too many. */
async function moveGateways({ transaction, before, after, moveGateway }: WrittenChange): Promise<void> {
  const [old, now] = [before && objectiveOf(before), after && objectiveOf(after)];
  if (old && now && old.gatewayId === now.gatewayId && old.thresholdUs === now.thresholdUs) return;
  const tenantId = (after ?? before)?.tenantId ?? '';
  const moved = new Set<string>();
  for (const objective of [old, now]) {
    if (objective && (await isNews(transaction, tenantId, objective))) moved.add(objective.gatewayId);
  }
  if (now && moved.has(now.gatewayId))
    await demandRoomForThreshold(transaction, { tenantId, gatewayId: now.gatewayId });
  for (const gatewayId of moved) moveGateway(gatewayId);
}

/** Whether no other objective of the same scope counts against the threshold. */
async function isNews(
  transaction: Transaction<Tables>,
  tenantId: string,
  { id, gatewayId, thresholdUs }: StoredObjective,
): Promise<boolean> {
  return thresholdUs !== null && !(await isCountedFor(transaction, { tenantId, gatewayId }, thresholdUs, id));
}

/** @throws Problem `quota_exceeded`. The write holds the tenant's lock. */
async function demandRoom(transaction: Transaction<Tables>, tenantId: string): Promise<void> {
  const { total } = await transaction
    .selectFrom('slo_states')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (total >= slosPerTenantMax) {
    throw new Problem('quota_exceeded', `a tenant has at most ${slosPerTenantMax} objectives`);
  }
}
