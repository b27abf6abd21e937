import type { ExchangeState } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import { PluginBench, type TestRequest } from '../testing/plugin-bench.ts';
import { responseCache } from './index.ts';

/** What the service answers. */
export interface TestAnswer {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** What a client got, and whether the service was asked. */
export interface Got {
  readonly status: number;
  readonly cache: string | undefined;
  readonly body: string;
  readonly isAsked: boolean;
  readonly header: (name: string) => string | undefined;
  /** The request as the service got it. */
  readonly sent: (name: string) => string | undefined;
}

/** An instance of the cache with a service behind it that answers as each test says. */
export class CacheBench {
  readonly clock: FakeClock;
  readonly bench: PluginBench;

  constructor(config: object = { ttl_seconds: 60 }, clock: FakeClock = new FakeClock()) {
    this.clock = clock;
    this.bench = new PluginBench(responseCache, config, { clock });
  }

  /** The date of now, as services give it. */
  date(offsetSeconds = 0): string {
    return new Date(this.clock.nowMs() + offsetSeconds * 1000).toUTCString();
  }

  /** One request from beginning to end. */
  async get(
    request: TestRequest = {},
    answer: TestAnswer = {},
    edit?: (exchange: ExchangeState) => void,
  ): Promise<Got> {
    const { exchange, result } = await this.bench.request({ method: 'GET', ...request });
    const isAsked = result === 'continue';
    edit?.(exchange);
    if (isAsked) this.answered(exchange, answer);
    await this.bench.chain.runResponse(exchange);
    return this.got(exchange, isAsked);
  }

  /** Begins a request: it is at the service, or waits. */
  begin(request: TestRequest = {}): Promise<ExchangeState> {
    return this.bench.request({ method: 'GET', ...request }).then(({ exchange }) => exchange);
  }

  /** Ends a request that was begun and is at the service. */
  async finish(exchange: ExchangeState, answer: TestAnswer = {}): Promise<Got> {
    this.answered(exchange, answer);
    await this.bench.chain.runResponse(exchange);
    return this.got(exchange, true);
  }

  /** A request that fails on its way. */
  async fail(request: TestRequest, code: string): Promise<Got> {
    const { exchange } = await this.bench.request({ method: 'GET', ...request });
    exchange.fail({ code, message: 'it failed' }, { status: 502, headers: [], body: new Uint8Array() });
    await this.bench.chain.runError(exchange);
    return this.got(exchange, true);
  }

  answered(exchange: ExchangeState, { status = 200, headers = [], body = 'a' }: TestAnswer): void {
    const bytes = new TextEncoder().encode(body);
    const readBody = (max: number) => Promise.resolve(bytes.length <= max ? bytes : undefined);
    exchange.setResponse({ status, headers: [...headers], source: 'upstream', readBody, hostBody: body });
  }

  got(exchange: ExchangeState, isAsked: boolean): Got {
    const { response, request } = exchange;
    exchange.end({ status: response.status, isComplete: true });
    const own = response.body === undefined ? undefined : new TextDecoder().decode(response.body);
    return {
      status: response.status,
      cache: response.headers.get('x-cache-status'),
      body: own ?? (typeof response.hostBody === 'string' ? response.hostBody : ''),
      isAsked,
      header: (name) => response.headers.get(name),
      sent: (name) => request.headers.get(name),
    };
  }
}
