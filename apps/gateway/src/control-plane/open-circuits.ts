import type { InstanceStatus } from '@portcullis/plugin-runtime';
import { heartbeatLimits, type ReportedCircuit } from '@portcullis/resources';

/** The plugin instances whose circuit is not closed, as heartbeats tell them: as many as one takes. */
export function openCircuits(statuses: readonly InstanceStatus[]): ReportedCircuit[] {
  const found: ReportedCircuit[] = [];
  for (const { instance, circuit: phase } of statuses) {
    if (phase === 'closed') continue;
    if (found.length === heartbeatLimits.circuitsMax) break;
    found.push({ instance_id: instance.id, plugin: instance.name, phase });
  }
  return found;
}
