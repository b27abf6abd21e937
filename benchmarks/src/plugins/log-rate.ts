import { fileURLToPath } from 'node:url';
import { portOf, startChild } from '../machine/child.ts';

/** What `log-rate.process.ts` prints. */
interface RateRun {
  readonly requests_per_second: number;
  readonly cpu_us_per_request: number;
  readonly heap_growth_bytes: number;
  readonly rss_growth_bytes: number;
  readonly records_sent?: number;
  readonly records_dropped?: number;
}

/** Requests that a log plugin tells a slow sink of. */
export interface LogRate extends Required<Omit<RateRun, 'cpu_us_per_request'>> {
  /** Processor time of a request's record, sending included, in microseconds. */
  readonly cpu_us_per_record: number;
  /** Share of one core that records of so many requests take. */
  readonly core_share: number;
}

/** Late enough that the sink takes about half of what it is offered. */
const answerMs = 400;
const sinkLimitMs = 120_000;

/** Runs a program of this folder and gives what it prints. */
type RunProgram = <T>(name: string, args: readonly string[], limitMs: number) => Promise<T>;

/** Measures it, with and without the plugin by turns. */
export async function logRate(run: RunProgram): Promise<LogRate> {
  const sink = fileURLToPath(new URL('./slow-sink.process.ts', import.meta.url));
  await using server = startChild(
    [process.execPath, '--conditions=@portcullis/source', sink, String(answerMs)],
    {},
    sinkLimitMs,
  );
  const port = String(await portOf(server));
  const rate = (mode: 'on' | 'off') => run<RateRun>('./log-rate.process.ts', [port, mode], sinkLimitMs);
  const without = await rate('off');
  const { cpu_us_per_request: cpu, records_sent = 0, records_dropped = 0, ...figures } = await rate('on');
  const ownUs = cpu - without.cpu_us_per_request;
  return {
    ...figures,
    records_sent,
    records_dropped,
    cpu_us_per_record: ownUs,
    core_share: (ownUs * figures.requests_per_second) / 1_000_000,
  };
}

/** As a sentence. */
export function logRateText(rate: LogRate): string {
  const { requests_per_second: requests, cpu_us_per_record: us, core_share: share, heap_growth_bytes: heap } = rate;
  const [sent, dropped] = [rate.records_sent, rate.records_dropped];
  return (
    `http_log with a slow sink: ${requests.toFixed(0)} records/s offered, ${us.toFixed(2)} µs of processor each ` +
    `(${(share * 100).toFixed(0)} % of a core), ${sent} sent, ${dropped} dropped, heap ${(heap / 1024).toFixed(0)} KiB more`
  );
}
