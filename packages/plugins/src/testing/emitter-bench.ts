import { createEgress } from '@portcullis/egress';
import {
  createRuntime,
  type Chain,
  type ExchangeFigures,
  type ExchangeState,
  type LogFiles,
  type Outbound,
  type PluginMetrics,
  type Runtime,
  type SecretSource,
  type Trigger,
} from '@portcullis/plugin-runtime';
import type { FakeClock } from '@portcullis/testkit';
import type { BuiltIn } from '../shared/built-in.ts';
import { exchangeOf, type TestRequest } from './plugin-bench.ts';

/** Every name of a test leads to this machine, and every address of this machine may be called. */
export const loopback: Outbound = createEgress({
  allowed: [
    { address: '127.0.0.0', bits: 8 },
    { address: '::1', bits: 128 },
  ],
  lookup: (name) => Promise.resolve([name.startsWith('six') ? '::1' : '127.0.0.1']),
});

/** What a test says beside the plugin. */
export interface EmitterHost {
  /** Default: {@link loopback}. */
  readonly outbound?: Outbound;
  /** Default: the process's clocks and timers. */
  readonly clock?: FakeClock;
  readonly trigger?: Trigger;
  readonly random?: () => number;
  /** Default: no vaults. */
  readonly secrets?: SecretSource;
  /** Default: none. */
  readonly logFilesOf?: (tenantId: string) => LogFiles;
}

/** How a request goes that a test sends. */
export interface TestExchange extends TestRequest {
  readonly status?: number;
  readonly responseHeaders?: readonly string[];
  readonly figures?: ExchangeFigures;
}

/** One instance of a package that emits, in a real runtime, with what an operator is told of it. */
export class EmitterBench {
  /** By name. */
  readonly counters: Map<string, number> = new Map();
  readonly warnings: (readonly [string, unknown])[] = [];
  readonly #runtime: Runtime;
  readonly #chain: Chain;

  constructor(builtIn: BuiltIn, config: unknown, host: EmitterHost = {}) {
    const { clock, random, secrets, logFilesOf, outbound = loopback, trigger = 'both' } = host;
    const timers = clock && { set: clock.setTimer, clear: (handle: unknown) => (handle as () => void)() };
    this.#runtime = createRuntime({
      plugins: [builtIn.plugin],
      inline: [{ name: builtIn.plugin.name, config, trigger }],
      outbound,
      log: { warn: (message, details) => this.warnings.push([message, details]), error: () => undefined },
      metricsOf: () => this.#metrics,
      ...(clock === undefined ? {} : { clock }),
      ...(timers === undefined ? {} : { timers }),
      ...(random === undefined ? {} : { random }),
      ...(secrets === undefined ? {} : { secrets }),
      ...(logFilesOf === undefined ? {} : { logFilesOf }),
    });
    this.#chain = this.#runtime.chainFor({ gateway: { id: 'g1', name: 'edge' } });
  }

  /** Sends a request that an upstream answers, up to its end. */
  send(exchange: TestExchange = {}): Promise<ExchangeState> {
    return this.sendExchange(exchangeOf(exchange), exchange);
  }

  /** The same for one that is there. */
  async sendExchange(sent: ExchangeState, exchange: TestExchange = {}): Promise<ExchangeState> {
    await this.#chain.runRequest(sent);
    const { status = 200, responseHeaders = [], figures } = exchange;
    if (!sent.hasResponse) sent.setResponse({ status, headers: [...responseHeaders], source: 'upstream' });
    await this.#chain.runResponse(sent);
    const { status: told } = sent.response;
    sent.end({ status: told, isComplete: true, ...(figures === undefined ? {} : { figures }) });
    return sent;
  }

  count(name: string): number {
    return this.counters.get(name) ?? 0;
  }

  /** Lets the instance go and waits until it is gone. */
  async dispose(): Promise<void> {
    this.#runtime.dispose();
    await this.#runtime.settled();
  }

  readonly #metrics: PluginMetrics = {
    counter: (name) => ({ add: (count) => void this.counters.set(name, this.count(name) + count) }),
  };
}
