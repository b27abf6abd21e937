import { isDeepStrictEqual } from 'node:util';
import {
  heartbeatLimits,
  type Heartbeat,
  type ReportedCircuit,
  type ReportedTarget,
  type TargetHealthState,
} from '@portcullis/resources';

interface WorkerReport {
  readonly targets: readonly ReportedTarget[];
  readonly circuits: readonly ReportedCircuit[];
}

/** The worse the earlier. */
const order: readonly TargetHealthState[] = ['UNHEALTHY', 'DNS_ERROR', 'HEALTHY', 'HEALTHCHECKS_OFF'];

/**
 * Makes one heartbeat of those of several workers, each of which checks targets by itself: what the first one says of the node,
 * and of every address and circuit the worst that one of them says.
 */
export class NodeHealth {
  readonly #reports = new Map<number, WorkerReport>();
  #node: Heartbeat | undefined;

  /** What workers that are gone said does not count any more. */
  setWorkers(slots: readonly number[]): void {
    for (const slot of [...this.#reports.keys()]) if (!slots.includes(slot)) this.#reports.delete(slot);
  }

  /**
   * A worker's heartbeat.
   * @param isFirst whether it speaks for the node
   * @returns what the control plane is to be told; `undefined` when the worker has nothing new to say
   */
  heartbeat(slot: number, isFirst: boolean, { targets, circuits, ...node }: Heartbeat): Heartbeat | undefined {
    if (isFirst) this.#node = node;
    // Its reports were refused: this one only says that the node lives.
    if (targets === undefined && circuits === undefined) return isFirst ? node : undefined;
    const known = this.#reports.get(slot);
    const report = { targets: targets ?? known?.targets ?? [], circuits: circuits ?? [] };
    this.#reports.set(slot, report);
    const isNews = targets !== undefined || !isDeepStrictEqual(report.circuits, known?.circuits ?? []);
    if (this.#node === undefined || (!isFirst && !isNews)) return undefined;
    const reports = [...this.#reports.values()];
    return { ...this.#node, ...(targets && { targets: worstTargets(reports) }), circuits: worstCircuits(reports) };
  }
}

function worstTargets(reports: readonly WorkerReport[]): ReportedTarget[] {
  const worst = new Map<string, ReportedTarget>();
  for (const { targets } of reports) {
    for (const target of targets) {
      const key = `${target.target_id} ${target.address}`;
      const known = worst.get(key);
      const isWorse = known === undefined || order.indexOf(target.health) < order.indexOf(known.health);
      if (isWorse) worst.set(key, target);
    }
  }
  const all = [...worst.values()];
  if (all.length <= heartbeatLimits.targetsMax) return all;
  const sorted = all.toSorted((left, right) => order.indexOf(left.health) - order.indexOf(right.health));
  return sorted.slice(0, heartbeatLimits.targetsMax);
}

function worstCircuits(reports: readonly WorkerReport[]): ReportedCircuit[] {
  const worst = new Map<string, ReportedCircuit>();
  for (const { circuits } of reports) {
    for (const circuit of circuits) {
      if (worst.get(circuit.instance_id)?.phase !== 'open') worst.set(circuit.instance_id, circuit);
    }
  }
  return [...worst.values()].slice(0, heartbeatLimits.circuitsMax);
}
