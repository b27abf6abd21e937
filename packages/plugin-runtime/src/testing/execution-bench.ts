import {
  createRuntime,
  type Chain,
  type ExecutionPolicy,
  type HookFault,
  type PluginCategory,
  type PluginHooks,
  type Runtime,
  type RuntimeEvents,
  type StageResult,
} from '../index.ts';
import { exchangeOf, gateway, handClock, pluginOf } from './fixtures.ts';

/** A hook of the request stage. */
export type RequestHook = NonNullable<PluginHooks['request']>;

/** One instance, and what happens to it. */
export interface ExecutionBench {
  readonly chain: Chain;
  readonly clock: ReturnType<typeof handClock>['clock'];
  readonly faults: HookFault[];
  readonly circuit: string[];
  readonly logged: string[];
  readonly runtime: Runtime;
  run(): StageResult | Promise<StageResult>;
}

/** One instance with this hook and policy. */
export function benchOf(
  hook: RequestHook,
  execution: ExecutionPolicy = {},
  category: PluginCategory = 'authentication',
): ExecutionBench {
  const { clock, timers } = handClock();
  const faults: HookFault[] = [];
  const circuit: string[] = [];
  const logged: string[] = [];
  const events: RuntimeEvents = {
    onHookFault: (_instance, _stage, fault) => faults.push(fault),
    onCircuitChange: (_instance, from, to) => circuit.push(`${from} > ${to}`),
  };
  const log = {
    warn: () => undefined,
    error: (message: string, details?: object) => logged.push(message + JSON.stringify(details)),
  };
  const plugin = pluginOf('subject', () => ({ request: hook }), { category });
  const runtime = createRuntime({
    plugins: [plugin],
    instances: [{ id: 'i', name: 'subject', execution }],
    clock,
    timers,
    log,
    events,
  });
  const chain = runtime.chainFor({ gateway });
  return { chain, clock, faults, circuit, logged, runtime, run: () => chain.runRequest(exchangeOf()) };
}
