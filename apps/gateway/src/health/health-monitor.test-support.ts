import { FakeClock } from '@portcullis/testkit';
import * as v from 'valibot';
import type { UpstreamWatch } from './endpoint-health.ts';
import { healthCheckRecord } from './health-check-record.ts';
import { HealthMonitor, type TargetReport } from './health-monitor.ts';
import type { CheckResult } from './health-settings.ts';

/** Time between two trials of {@link MonitorBench}. */
export const benchRecoveryMs = 10_000;

/** A monitor on a clock that is moved by hand, with probes that are answered by hand or as `answers` says. */
export class MonitorBench {
  readonly clock = new FakeClock();
  readonly lines: Record<string, unknown>[] = [];
  /** Addresses that were probed, in order. */
  readonly probed: string[] = [];
  /** What probes of an address find; `undefined` leaves them without an answer. */
  readonly answers = new Map<string, CheckResult | undefined>();
  readonly aborted: string[] = [];
  changes = 0;
  running = 0;
  runningMax = 0;
  random = 0.5;
  readonly monitor: HealthMonitor;

  constructor() {
    const log = (details: Readonly<Record<string, unknown>>, message: string): void =>
      void this.lines.push({ ...details, message });
    this.monitor = new HealthMonitor({
      nowMs: this.clock.nowMs,
      monotonicMs: this.clock.monotonicMs,
      setTimer: this.clock.setTimer,
      random: () => this.random,
      log: { info: log, warn: log },
      onChange: () => (this.changes += 1),
      recoveryMs: benchRecoveryMs,
      prober: (_plan, { host }) => {
        this.probed.push(host);
        this.running += 1;
        this.runningMax = Math.max(this.running, this.runningMax);
        const result = this.answers.has(host) ? this.answers.get(host) : 'success';
        const { promise, resolve } = Promise.withResolvers<{ result: CheckResult; reason: string }>();
        if (result !== undefined) {
          this.running -= 1;
          resolve({ result, reason: result });
        }
        const abort = (): void => {
          this.aborted.push(host);
          this.running -= 1;
          resolve({ result: 'neutral', reason: 'given up' });
        };
        return { done: promise, abort };
      },
    });
  }

  /** Watches an upstream as its record says. */
  watch(healthchecks: object | undefined, id = 'upstream-1'): UpstreamWatch {
    const record = healthchecks && v.parse(healthCheckRecord, healthchecks);
    return this.monitor.watch({ id, name: `name of ${id}`, healthchecks: record, hostHeader: undefined });
  }

  /** Moves on in small steps, with what is settled in between. */
  async advance(milliseconds: number, stepMs = 100): Promise<void> {
    for (let passedMs = 0; passedMs < milliseconds; passedMs += stepMs) {
      this.clock.advance(Math.min(stepMs, milliseconds - passedMs));
      // A probe's answer is a few promises away.
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    }
  }

  /** States by address. */
  states(): Record<string, TargetReport['health']> {
    return Object.fromEntries(Array.from(this.monitor.report(), ({ address, health }) => [address, health]));
  }
}

/** An address of a target. */
export function addressOf(host: string, targetId: string | undefined = `target-${host}`) {
  return { targetId, host, port: 80, name: host };
}
