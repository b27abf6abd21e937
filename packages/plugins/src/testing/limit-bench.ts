import { createRuntime, type PluginInstance, type Runtime } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import type { BuiltIn } from '../shared/built-in.ts';
import { exchangeOf, type Ran, type TestRequest } from './plugin-bench.ts';

/** An instance of the bench's plugin: its ID, and its config. Each one is scoped to a route that has its ID. */
export type InstanceConfigs = Readonly<Record<string, object>>;

/** Several instances of one plugin, over configurations that follow each other, in one process. */
export class LimitBench {
  readonly clock: FakeClock;
  readonly #builtIn: BuiltIn;
  readonly #tenantId: string;
  #runtime: Runtime;

  constructor(builtIn: BuiltIn, instances: InstanceConfigs, clock: FakeClock = new FakeClock(), tenantId = 't1') {
    this.clock = clock;
    this.#builtIn = builtIn;
    this.#tenantId = tenantId;
    this.#runtime = this.#runtimeOf(instances);
  }

  /** Changes to another configuration, as a gateway does it: the new one is there before the old one goes. */
  change(instances: InstanceConfigs): void {
    const previous = this.#runtime;
    this.#runtime = this.#runtimeOf(instances, previous);
    previous.dispose();
  }

  /** Runs the request stage on a route. */
  async request(route: string, request: TestRequest = {}): Promise<Ran> {
    const facts = { route: { id: route, name: route }, tenantId: this.#tenantId };
    const exchange = exchangeOf({ ...request, facts });
    const chain = this.#runtime.chainFor({ gateway: exchange.facts.gateway, route: facts.route });
    return { exchange, result: await chain.runRequest(exchange) };
  }

  /** Whether a request passes on a route. */
  async passes(route: string, request?: TestRequest): Promise<boolean> {
    return (await this.request(route, request)).result === 'continue';
  }

  #runtimeOf(instances: InstanceConfigs, previous?: Runtime): Runtime {
    const { plugin } = this.#builtIn;
    const records = Object.entries(instances).map(([id, config]): PluginInstance => ({
      id,
      name: plugin.name,
      config,
      scope: 'route',
      route_id: id,
      trigger: 'all',
    }));
    return createRuntime({
      plugins: [plugin],
      clock: this.clock,
      tenantId: this.#tenantId,
      instances: records,
      ...(previous === undefined ? {} : { previous }),
    });
  }
}
