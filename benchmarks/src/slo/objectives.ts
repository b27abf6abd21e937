import type { ControlPlaneParts, Database, StoredObjective } from './control-plane-parts.ts';
import { thresholdsUs } from './traffic.ts';

/** What an objective asks for. */
export interface ObjectiveWish {
  readonly id: string;
  readonly gatewayId: string;
  readonly windowMinutes: number;
  /** `null`: availability. */
  readonly thresholdUs: number | null;
}

const principal = { kind: 'api_token', id: 'bench', name: 'bench' };

/** Creates a tenant's objectives as the administration API does: the record, its state and the beginning of its timeline. */
export async function createObjectives(
  parts: ControlPlaneParts,
  database: Database,
  tenantId: string,
  wishes: readonly ObjectiveWish[],
): Promise<StoredObjective[]> {
  const store = parts.createResourceStore();
  const behaviour = parts.createSloBehaviour({ newId: () => crypto.randomUUID() });
  const nowMs = Date.now() - 40 * 86_400_000;
  const recordOf = (family: string, id: string, body: object) => ({
    tenantId,
    family,
    id,
    gatewayId: null,
    name: id,
    enabled: true,
    revision: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    body,
    secrets: {},
    tenantRevision: 1,
  });
  const objectives: StoredObjective[] = [];
  await database.transaction(async (transaction) => {
    const insert = async (record: object): Promise<void> => {
      const { ok } = await store.insert(transaction, { record, keys: [], references: [] });
      if (!ok) throw new Error('a record was not taken');
    };
    for (const id of new Set(wishes.map(({ gatewayId }) => gatewayId))) await insert(recordOf('gateways', id, {}));
    for (const wish of wishes) {
      const record = recordOf('slos', wish.id, bodyOf(wish));
      await insert(record);
      await behaviour.afterWrite({
        transaction,
        principal,
        before: undefined,
        after: record,
        moveGateway: () => undefined,
      });
      objectives.push(parts.objectiveOf(record));
    }
  });
  return objectives;
}

/** Objectives of many kinds: five windows, availability and all thresholds, over some gateways. */
export function mixedObjectives(count: number, gatewayIds: readonly string[]): ObjectiveWish[] {
  const windows = [60, 1440, 10_080, 20_160, 43_200];
  return Array.from({ length: count }, (_, index) => {
    const gatewayId = gatewayIds[index % gatewayIds.length] ?? '';
    const kind = Math.floor(index / gatewayIds.length);
    return {
      id: `slo-${index}`,
      gatewayId,
      windowMinutes: windows[kind % windows.length] ?? 60,
      thresholdUs: kind % 2 === 0 ? null : (thresholdsUs[Math.floor(kind / 2) % thresholdsUs.length] ?? null),
    };
  });
}

function bodyOf({ gatewayId, windowMinutes, thresholdUs }: ObjectiveWish): object {
  return {
    gateway_id: gatewayId,
    objective:
      thresholdUs === null
        ? { type: 'availability', target_percent: 99.9 }
        : { type: 'latency', target_percent: 99.9, latency_threshold_ms: thresholdUs / 1000 },
    evaluation_window_minutes: windowMinutes,
    alert_policy: { enabled: true, warning_burn_rate: 1, critical_burn_rate: 2 },
    enabled: true,
  };
}
