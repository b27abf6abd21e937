import type { PluginLog } from '@portcullis/plugin-runtime';
import type { LimitStanding } from './request-limits.ts';

/** Seconds until all limits that refuse have room; 0 when none refuses. */
export function waitOf(standings: readonly LimitStanding[]): number {
  let wait = 0;
  for (const one of standings) if (one.isExceeded && one.resetSeconds > wait) wait = one.resetSeconds;
  return wait;
}

/** Time between two warnings of one instance. */
const WARNING_INTERVAL_MS = 60_000;

/** What is to be called when clients are forgotten early: it warns now and then. */
export function crowdedWarning(plugin: string, log: PluginLog, nowMs: () => number): () => void {
  let nextMs = 0;
  return () => {
    const moment = nowMs();
    if (moment < nextMs) return;
    nextMs = moment + WARNING_INTERVAL_MS;
    log.warn(`${plugin} counts too many clients: the least active are forgotten before their windows end`);
  };
}
