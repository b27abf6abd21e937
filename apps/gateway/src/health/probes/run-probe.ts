import { judgeStatus, type CheckResult } from '../health-settings.ts';
import { grpcProbe } from './grpc-probe.ts';
import { httpProbe } from './http-probe.ts';
import type { ConnectionParts } from './probe-connection.ts';
import type { Prober, ProbeOutcome, RunningProbe } from './probe.ts';
import { tcpProbe } from './tcp-probe.ts';

/** What a kind of probe tells of its end; only the first word counts. */
export interface ProbeSink {
  /** An answer with a status. */
  onStatus(status: number): void;
  /** Success or failure that no HTTP status says. */
  onVerdict(result: CheckResult, reason: string): void;
  /** The connection failed. */
  onError(error: Error): void;
}

/** Sends one kind of probe. @returns what gives it up and closes the connection; safe to call twice */
export type ProbeKind = (
  parts: ConnectionParts,
  plan: Parameters<Prober>[0],
  address: Parameters<Prober>[1],
  sink: ProbeSink,
) => () => void;

const kinds: Readonly<Record<Parameters<Prober>[0]['type'], ProbeKind>> = {
  http: httpProbe,
  https: httpProbe,
  grpc: grpcProbe,
  grpcs: grpcProbe,
  tcp: tcpProbe,
};

/** Sends probes of all kinds. Each has a connection of its own, which ends with it. */
export function createProber(parts: ConnectionParts): Prober {
  return (plan, address) => {
    if (parts.guard.refuses(address.host, address.port)) return refusedProbe;
    const { promise: done, resolve } = Promise.withResolvers<ProbeOutcome>();
    const end = (result: CheckResult, reason: string): void => {
      clearTimeout(timer);
      resolve({ result, reason });
      // What the connection still says when it is cut must not reach anybody.
      queueMicrotask(() => close());
    };
    const timer = setTimeout(() => end('timeout', `no answer within ${plan.timeoutMs} ms`), plan.timeoutMs).unref();
    let close = (): void => undefined;
    try {
      close = kinds[plan.type](parts, plan, address, {
        onStatus: (status) => end(judgeStatus(status, plan.judgement), `status ${status}`),
        onVerdict: end,
        onError: (error) => end('tcp_failure', describe(error)),
      });
    } catch (error) {
      // The probe itself is at fault, so it says nothing of the endpoint.
      end('neutral', `the probe cannot be sent: ${describe(error as Error)}`);
    }
    return { done, abort: () => end('neutral', 'the probe was given up') };
  };
}

const refusedProbe: RunningProbe = {
  done: Promise.resolve({ result: 'tcp_failure', reason: 'the address is one that must not be called' }),
  abort: () => undefined,
};

/** Longest text of an error in a reason. */
const reasonLengthMax = 200;

function describe(error: Error & { code?: unknown }): string {
  return (typeof error.code === 'string' ? error.code : error.message || error.name).slice(0, reasonLengthMax);
}
