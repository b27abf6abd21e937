import type { LoadReport } from './load-report.ts';

const unitsMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/**
 * Reads what `wrk --latency` prints.
 * @throws Error naming the part that is missing, with the text
 */
export function parseWrkReport(text: string): LoadReport {
  const part = (what: string, pattern: RegExp): RegExpExecArray => {
    const found = pattern.exec(text);
    if (found === null) throw new Error(`wrk says nothing of ${what}: ${text}`);
    return found;
  };
  const latencyMs = (share: string): number => {
    const [, value, unit] = part(`the ${share} latency`, new RegExp(`^\\s+${share}\\s+([\\d.]+)(us|ms|s|m) *$`, 'm'));
    return Number(value) * (unitsMs[unit ?? ''] ?? Number.NaN);
  };
  const total = Number(part('requests', /(\d+) requests in /)[1]);
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0);
  const socketErrors =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text)?.slice(1) ?? [];
  return {
    answered: total - refused,
    errors: refused + socketErrors.reduce((sum, count) => sum + Number(count), 0),
    requestsPerSecond: Number(part('the rate', /Requests\/sec:\s+([\d.]+)/)[1]),
    p50Ms: latencyMs('50%'),
    p99Ms: latencyMs('99%'),
  };
}
