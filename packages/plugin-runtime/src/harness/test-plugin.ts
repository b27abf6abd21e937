import { createRuntime } from '../build-runtime.ts';
import type { Chain } from '../chain.ts';
import type { CircuitState } from '../circuit.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { ExchangeFailure } from '../exchange.ts';
import type { ExecutionPolicy } from '../instance.ts';
import type { Plugin, Trigger } from '../plugin.ts';
import type { Runtime } from '../runtime.ts';
import type { SharedStore } from '../shared-store.ts';
import { answerByResponder } from './test-responder.ts';
import { capturingEvents, capturingLog, type LogLine, type RuntimeEvent } from './captured.ts';
import { HandClock } from './hand-clock.ts';
import { seededRandom } from './seeded-random.ts';
import {
  exchangeOf,
  forwardedOf,
  recordOf,
  textOf,
  upstreamParts,
  type TestAnswer,
  type TestRequest,
  type TestUpstream,
} from './test-exchange.ts';

/** How a plugin is tested; all of it may be left out. */
export interface PluginTestOptions {
  readonly config?: unknown;
  /** Default `all`: every hook that the plugin has. */
  readonly trigger?: Trigger;
  readonly execution?: ExecutionPolicy;
  /** Default: one that begins at 2026-01-01. */
  readonly clock?: HandClock;
  /** Default 1. */
  readonly seed?: number;
  /** Default: none, every call fails. */
  readonly sharedStore?: SharedStore;
}

/**
 * Sets one instance of a plugin up, in a real runtime whose time stands still, whose randomness is the same in each run and
 * whose IDs count (`id-1`, `id-2`, …). Needs no test framework.
 * @throws PluginConfigurationError for a config that the plugin does not take
 */
export function testPlugin(plugin: Plugin, options: PluginTestOptions = {}): PluginTest {
  return new PluginTest(plugin, options);
}

/** One instance of a plugin under test. Made by {@link testPlugin}. */
export class PluginTest {
  /** Moves when told: `clock.advance(5000)` lets hooks time out and circuits recover. */
  readonly clock: HandClock;
  /** What the plugin, and the runtime about it, logged. */
  readonly log: LogLine[] = [];
  /** What the runtime told of the plugin's hooks and circuit. */
  readonly events: RuntimeEvent[] = [];
  readonly #runtime: Runtime;
  readonly #chain: Chain;
  #requests = 0;

  constructor(
    plugin: Plugin,
    { config, trigger = 'all', execution, clock = new HandClock(), seed = 1, sharedStore }: PluginTestOptions,
  ) {
    this.clock = clock;
    let ids = 0;
    this.#runtime = createRuntime({
      plugins: [plugin],
      clock,
      timers: clock,
      random: seededRandom(seed),
      newId: () => `id-${(ids += 1)}`,
      log: capturingLog(this.log),
      events: capturingEvents(this.events),
      ...(sharedStore === undefined ? {} : { sharedStore }),
      inline: [{ id: 'test', name: plugin.name, trigger, config, ...(execution === undefined ? {} : { execution }) }],
    });
    this.#chain = this.#runtime.chainFor({ gateway: { id: 'test', name: 'test' } });
  }

  /** The phase of the instance's circuit. */
  get circuit(): CircuitState['phase'] {
    return this.#runtime.status()[0]?.circuit ?? 'closed';
  }

  /** Opens the circuit, as if hooks had failed again and again. It recovers with the clock. */
  openCircuit(): void {
    for (const instance of this.#runtime.store.values()) {
      while (instance.onCircuitEvent({ type: 'failure', isProbe: false }) === 'closed');
    }
  }

  /**
   * Sends one request through the plugin to the upstream and back, as a gateway would: request hook, upstream or the plugin's responder,
   * response or error hook, stream hook for each chunk.
   * @param signal the client: it leaves when this fires
   */
  async send(request: TestRequest = {}, upstream: TestUpstream = {}, signal?: AbortSignal): Promise<TestAnswer> {
    const exchange = exchangeOf(request, `request-${(this.#requests += 1)}`);
    signal?.addEventListener('abort', () => exchange.abort(), { once: true });
    if (signal?.aborted === true) exchange.abort();
    let forwarded: TestAnswer['forwarded'];
    let failure: ExchangeFailure | undefined;
    const requested = await this.#chain.runRequest(exchange);
    const { responder } = exchange.request;
    let isBroken = false;
    if (requested === 'continue' && responder !== undefined) {
      const answered = await answerByResponder(exchange, responder);
      if (answered === 'failed') failure = exchange.failure;
      isBroken = answered === 'broken';
    } else if (requested === 'continue') {
      forwarded = await forwardedOf(exchange);
      failure = await answer(exchange, upstream, forwarded);
    }
    if (requested === 'failed') failure = exchange.failure;
    else if (failure === undefined && (await this.#chain.runResponse(exchange)) === 'failed')
      failure = exchange.failure;
    if (failure !== undefined) await this.#tellFailure(exchange, failure);
    const { chunks, isCut } = await this.#streamed(exchange, isBroken);
    const { status, headers } = exchange.response;
    exchange.end({ status, isComplete: !isCut });
    return {
      status,
      headers: recordOf(headers.toPairs()),
      body: textOf(Buffer.concat(chunks)),
      chunks,
      isCut,
      forwarded,
      consumer: exchange.consumer,
      failure: isCut && exchange.hasFailed ? exchange.failure : failure,
      exchange,
    };
  }

  /** Lets the instance go: its `dispose` hook runs. */
  dispose(): void {
    this.#runtime.dispose();
  }

  async #tellFailure(exchange: ExchangeState, failure: ExchangeFailure): Promise<void> {
    const status = failure.code === 'plugin_failed' ? 503 : 502;
    exchange.fail(failure, { status, headers: [], body: new Uint8Array() });
    await this.#chain.runError(exchange);
  }

  /** @param isBroken whether the upstream's body is not whole */
  async #streamed(
    exchange: ExchangeState,
    isBroken: boolean,
  ): Promise<{ chunks: readonly Uint8Array[]; isCut: boolean }> {
    const { body, hostBody } = exchange.response;
    const source = body === undefined ? ((hostBody ?? []) as readonly Uint8Array[]) : [body];
    const breaksOff = isBroken && body === undefined;
    if (!this.#chain.hasStreamHooks) return { chunks: source, isCut: breaksOff };
    const chunks: Uint8Array[] = [];
    for (const [index, bytes] of [...source, new Uint8Array()].entries()) {
      if (breaksOff && index === source.length) return { chunks, isCut: true };
      const outcome = await this.#chain.runStream(exchange, { bytes, index, last: index === source.length });
      if (outcome === 'failed') return { chunks, isCut: true };
      if (outcome.length > 0) chunks.push(outcome);
    }
    return { chunks, isCut: false };
  }
}

/** Takes the upstream's answer into the exchange. @returns why there is none */
async function answer(
  exchange: ExchangeState,
  upstream: TestUpstream,
  forwarded: TestAnswer['forwarded'] & object,
): Promise<ExchangeFailure | undefined> {
  try {
    exchange.setResponse(upstreamParts(typeof upstream === 'function' ? await upstream(forwarded) : upstream));
    return undefined;
  } catch {
    return { code: 'upstream_failed', message: 'the upstream gave no answer' };
  }
}
