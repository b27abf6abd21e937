import { median } from '../figures/quantile.ts';
import type { FigureTree } from '../figures/result-line.ts';
import { textTable } from '../figures/table.ts';
import { modes } from '../peers/terms.ts';
import type { Mode } from '../peers/terms.ts';
import type { Measurement } from './measurement.ts';

/** Medians of one peer in one mode over all repetitions. */
export interface PeerSummary extends Measurement {
  readonly repetitions: number;
  /** Lowest and highest processor time of the repetitions: how far the median is to be trusted. */
  readonly cpuLowest: number;
  readonly cpuHighest: number;
}

/** Medians by mode and peer; modes in the order of reports, peers in the order of their first measurement. */
export function summarise(measurements: readonly Measurement[]): readonly PeerSummary[] {
  const names = [...new Set(measurements.map(({ peer }) => peer))];
  return modes.flatMap((mode) =>
    names.flatMap((peer) => {
      const own = measurements.filter((one) => one.peer === peer && one.mode === mode);
      return own.length === 0 ? [] : [summaryOf(peer, mode, own)];
    }),
  );
}

function summaryOf(peer: string, mode: Mode, own: readonly Measurement[]): PeerSummary {
  const middle = (figure: (one: Measurement) => number): number => median(own.map(figure));
  const cpu = own.map(({ cpuSecondsPer1000 }) => cpuSecondsPer1000);
  const shares = own.flatMap(({ reportedShare }) => reportedShare ?? []);
  return {
    peer,
    mode,
    repetitions: own.length,
    cpuSecondsPer1000: median(cpu),
    cpuLowest: Math.min(...cpu),
    cpuHighest: Math.max(...cpu),
    requestsPerSecond: middle((one) => one.requestsPerSecond),
    p50Ms: middle((one) => one.p50Ms),
    p99Ms: middle((one) => one.p99Ms),
    residentMegabytes: middle((one) => one.residentMegabytes),
    errors: own.reduce((sum, one) => sum + one.errors, 0),
    ...(shares.length > 0 ? { reportedShare: Math.min(...shares) } : {}),
  };
}

/**
 * Processor time of the gateway over that of each other peer, like with like: `plain` and `policies` are those over the
 * minimal proxy; the others are named `MODE, PEER`. Source: decisions, 34.
 */
export function ratiosOf(summaries: readonly PeerSummary[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    modes.flatMap((mode) => {
      const own = summaries.filter((one) => one.mode === mode);
      const gateway = own.find(({ peer }) => peer === 'gateway')?.cpuSecondsPer1000;
      if (gateway === undefined) return [];
      return own
        .filter(({ peer }) => peer !== 'gateway')
        .map(({ peer, cpuSecondsPer1000 }) => [
          peer === 'minimal' ? mode : `${mode}, ${peer}`,
          gateway / cpuSecondsPer1000,
        ]);
    }),
  );
}

/** The table that people read. */
export function summaryTable(summaries: readonly PeerSummary[]): string {
  const heads = ['peer', 'CPU s / 1,000', 'lowest', 'highest', 'RPS', 'p50 ms', 'p99 ms', 'RSS MB', 'errors'];
  const rows = summaries.map((one) => [
    `${one.peer}, ${one.mode}`,
    one.cpuSecondsPer1000.toFixed(4),
    one.cpuLowest.toFixed(4),
    one.cpuHighest.toFixed(4),
    Math.round(one.requestsPerSecond).toLocaleString('en-US'),
    one.p50Ms.toFixed(2),
    one.p99Ms.toFixed(2),
    one.residentMegabytes.toFixed(0),
    `${one.errors}`,
  ]);
  return textTable(heads, rows);
}

/** The same figures for machines: mode, then peer. */
export function figuresOf(summaries: readonly PeerSummary[]): FigureTree {
  const ofMode = (mode: Mode): FigureTree =>
    Object.fromEntries(summaries.filter((one) => one.mode === mode).map((one) => [one.peer, figuresOfPeer(one)]));
  return Object.fromEntries(modes.map((mode) => [mode, ofMode(mode)]));
}

function figuresOfPeer(one: PeerSummary): FigureTree {
  return {
    cpu_seconds_per_1000: one.cpuSecondsPer1000,
    cpu_seconds_per_1000_lowest: one.cpuLowest,
    cpu_seconds_per_1000_highest: one.cpuHighest,
    rps: one.requestsPerSecond,
    p50_ms: one.p50Ms,
    p99_ms: one.p99Ms,
    rss_mb: one.residentMegabytes,
    errors: one.errors,
    ...(one.reportedShare === undefined ? {} : { reported_share: one.reportedShare }),
  };
}
