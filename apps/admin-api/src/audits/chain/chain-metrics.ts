import { Counter, Gauge, type Registry } from 'prom-client';
import type { ChainBacklog } from './chain-backlog.ts';

/** What the sequencer tells of itself. */
export interface ChainMetrics {
  chained(count: number): void;
  failed(): void;
  late(): void;
  /** What was found waiting. */
  backlog(found: ChainBacklog): void;
}

/**
 * Metrics of the chain. The age of the oldest waiting record is worked out when it is read, so that it goes on growing while
 * the database is away.
 */
export function createChainMetrics(registry: Registry, nowMs: () => number): ChainMetrics {
  const registers = [registry];
  const chained = new Counter({
    name: 'portcullis_audit_chained_total',
    help: 'Audit records that this process gave their places in the chains',
    registers,
  });
  const failures = new Counter({
    name: 'portcullis_audit_chain_failures_total',
    help: 'Attempts to chain audit records that failed; the records wait for the next one',
    registers,
  });
  const late = new Counter({
    name: 'portcullis_audit_late_answers_total',
    help: 'Answers that left before their audit record was chained',
    registers,
  });
  const backlog = new Gauge({
    name: 'portcullis_audit_unchained_records',
    help: 'Audit records that wait for their places in the chains; up to 100000',
    registers,
  });
  let oldestMs: number | undefined;
  const age = new Gauge({
    name: 'portcullis_audit_oldest_unchained_seconds',
    help: 'Age of the oldest audit record that waits for its place in the chains; 0 when none waits',
    registers: [],
    collect() {
      this.set(oldestMs === undefined ? 0 : Math.max(0, nowMs() - oldestMs) / 1000);
    },
  });
  registry.registerMetric(age);
  return {
    chained: (count) => chained.inc(count),
    failed: () => failures.inc(),
    late: () => late.inc(),
    backlog(found) {
      backlog.set(found.count);
      oldestMs = found.oldestMs;
    },
  };
}
