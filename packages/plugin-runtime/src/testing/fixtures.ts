import { FakeClock } from '@portcullis/testkit';
import * as v from 'valibot';
import {
  ExchangeState,
  definePlugin,
  type ConsumerIdentity,
  type ExchangeParts,
  type Plugin,
  type PluginDefinition,
  type PluginHooks,
  type RequestParts,
  type Timers,
} from '../index.ts';

/** A value with this property `then`: what a hook returns whose promise is broken. */
export function withThen(then: PropertyDescriptor): never {
  // oxlint-disable-next-line unicorn/no-thenable -- that such objects do no harm is what tests show
  return Object.create(null, { then }) as never;
}

/** The gateway of all tests. */
export const gateway = { id: 'g1', name: 'edge' };

/** A plugin that takes any object as config. */
export function pluginOf(
  name: string,
  setup: PluginDefinition<Record<string, unknown>>['setup'],
  more: Partial<Pick<Plugin, 'category' | 'triggers' | 'version'>> = {},
): Plugin {
  return definePlugin({
    name,
    version: '1.0.0',
    category: 'transformation',
    triggers: ['before_request', 'after_response', 'on_error', 'both'],
    config: v.record(v.string(), v.unknown()),
    setup,
    ...more,
  });
}

/** A plugin whose instances write their ID and the stage into the exchange's state. */
export function tracer(name: string): Plugin {
  return pluginOf(name, (_config, { instance }): PluginHooks => {
    const note = (stage: string) => (exchange: { readonly state: Map<string, unknown> }) => {
      const trace = (exchange.state.get('trace') ?? []) as string[];
      exchange.state.set('trace', [...trace, `${stage} ${instance.id}`]);
    };
    return { request: note('request'), response: note('response'), error: note('error') };
  });
}

/** What tracers wrote for one stage: instance IDs in running order. */
export function tracedIn(stage: string, exchange: ExchangeState): string[] {
  const trace = (exchange.state.get('trace') ?? []) as string[];
  return trace.filter((line) => line.startsWith(`${stage} `)).map((line) => line.slice(stage.length + 1));
}

/** A plugin that says who the client is. */
export function identify(consumer: ConsumerIdentity): Plugin {
  return pluginOf('identify', () => ({ request: () => ({ consumer }) }), { category: 'authentication' });
}

/** A request with defaults for what a test does not say. */
export function exchangeOf(request: Partial<RequestParts> = {}, more: Partial<ExchangeParts> = {}): ExchangeState {
  return new ExchangeState({
    facts: { requestId: 'r1', tenantId: 't1', gateway },
    request: {
      method: 'GET',
      scheme: 'http',
      host: 'api.test',
      path: '/',
      query: '',
      headers: [],
      clientIp: '192.0.2.1',
      ...request,
    },
    ...more,
  });
}

/** A clock that moves by hand with its timers in the form of the port. */
export function handClock(): { clock: FakeClock; timers: Timers } {
  const clock = new FakeClock();
  const timers: Timers = {
    set: (callback, delayMs) => clock.setTimer(callback, delayMs),
    clear: (handle) => (handle as () => void)(),
  };
  return { clock, timers };
}
