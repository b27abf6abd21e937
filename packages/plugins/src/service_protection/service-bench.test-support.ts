import type { ExchangeState } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import { PluginBench, type TestRequest } from '../testing/plugin-bench.ts';
import { serviceProtection } from './index.ts';

/** Requests as a host runs them: it says what became of each. */
export class Service {
  readonly bench: PluginBench;

  constructor(config: unknown, clock = new FakeClock(), bench = new PluginBench(serviceProtection, config, { clock })) {
    this.bench = bench;
  }

  async begin(request?: TestRequest): Promise<ExchangeState> {
    return (await this.bench.request(request)).exchange;
  }

  async answer(
    exchange: ExchangeState,
    status: number,
    source: 'upstream' | 'plugin' = 'upstream',
  ): Promise<ExchangeState> {
    if (!exchange.hasResponse) exchange.setResponse({ status, headers: [], source });
    await this.bench.chain.runResponse(exchange);
    exchange.end({ status: exchange.response.status, isComplete: true });
    return exchange;
  }

  async fail(exchange: ExchangeState, code: string): Promise<void> {
    exchange.fail({ code, message: 'it failed' }, { status: 502, headers: [] });
    await this.bench.chain.runError(exchange);
    exchange.end({ status: 502, isComplete: true });
  }

  /** Sends requests that the service answers so. @returns what clients got */
  async send(statuses: readonly number[], request?: TestRequest): Promise<readonly number[]> {
    const got: number[] = [];
    for (const status of statuses) got.push((await this.answer(await this.begin(request), status)).response.status);
    return got;
  }
}

/** A circuit that two failures open for five seconds; it answers 599 then. */
export const opensAtTwo: object = {
  failure_threshold: 2,
  failure_window_seconds: 10,
  cooldown_seconds: 5,
  open_circuit_status: 599,
};
