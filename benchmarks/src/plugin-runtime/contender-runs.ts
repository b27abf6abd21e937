import { ExchangeState, createRuntime, definePlugin, type RuntimeEvents } from '@portcullis/plugin-runtime';
import koaCompose from 'koa-compose';
import * as v from 'valibot';
import type { ChainCase } from './chain-case.ts';

/** Runs the chain once for one request. A promise only where the contender gives one. */
export type ChainRun = () => unknown;

/** Something that a hook can look at, so that it is not compiled away. */
export interface Seen {
  readonly request: { readonly method: string };
}

/** What every hook does. */
export type Look = (seen: Seen) => undefined;

/**
 * Makes what a case measures: the chain is ready, and the request is always the same one.
 * @param look default: next to nothing
 */
export async function chainRun(
  one: ChainCase,
  look: Look = ({ request: seen }) => void seen.method,
): Promise<ChainRun> {
  switch (one.contender) {
    case 'loop':
      return loopRun(one, look);
    case 'runtime':
      return runtimeRun(one, look);
    case 'listened':
      return runtimeRun(one, look, { onHookEnd: countingListener() });
    case 'hono':
      return honoRun(one, look);
    case 'koa':
      return koaRun(one, look);
  }
}

function request(): ExchangeState {
  return new ExchangeState({
    facts: { requestId: 'r1', tenantId: 't1', gateway: { id: 'g1', name: 'edge' } },
    request: {
      method: 'GET',
      scheme: 'http',
      host: 'api.test',
      path: '/',
      query: '',
      headers: ['host', 'api.test'],
      clientIp: '192.0.2.1',
    },
  });
}

type Hook = (seen: Seen) => undefined | Promise<undefined>;
type Next = () => Promise<void>;
type Middleware = (context: Seen, next: Next) => Promise<void>;

/**
 * As many functions as hooks, and each with code of its own, as those of different plugins are: an engine compiles a chain of
 * one function many times to what no chain can be.
 * @param text an expression that makes a function and may use `look`
 */
function functions(count: number, look: Look, text: string): readonly unknown[] {
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- only this gives each function code of its own
  return Array.from({ length: count }, () => new Function('look', `return ${text};`)(look) as unknown);
}

function hooksOf({ hooks, kind }: ChainCase, look: Look): readonly Hook[] {
  return functions(hooks, look, `${kind === 'sync' ? '' : 'async '}(seen) => look(seen)`) as readonly Hook[];
}

/** The least that does its work and passes on; without a promise of its own where the work is sync. */
function middlewareOf({ hooks, kind }: ChainCase, look: Look): readonly Middleware[] {
  const text =
    kind === 'sync'
      ? '(context, next) => { look(context); return next(); }'
      : 'async (context, next) => { await Promise.resolve(look(context)); await next(); }';
  return functions(hooks, look, text) as readonly Middleware[];
}

function loopRun(one: ChainCase, look: Look): ChainRun {
  const hooks = hooksOf(one, look);
  const exchange = request();
  if (one.kind === 'sync') {
    return () => {
      for (const hook of hooks) if (hook(exchange) !== undefined) return 'respond';
      return 'continue';
    };
  }
  return async () => {
    for (const hook of hooks) if ((await hook(exchange)) !== undefined) return 'respond';
    return 'continue';
  };
}

/** Counts durations of each instance and stage, which is the least that a host's metrics do. */
function countingListener(): NonNullable<RuntimeEvents['onHookEnd']> {
  const sums = new WeakMap<object, Map<string, { count: number; sumUs: number }>>();
  return (instance, stage, _outcome, durationMs) => {
    let stages = sums.get(instance);
    if (stages === undefined) sums.set(instance, (stages = new Map()));
    let sum = stages.get(stage);
    if (sum === undefined) stages.set(stage, (sum = { count: 0, sumUs: 0 }));
    sum.count += 1;
    sum.sumUs += Math.round(durationMs * 1000);
  };
}

/** Plugins with one instance each, and with every field of the execution policy said, as an operator may. */
function runtimeRun(one: ChainCase, look: Look, events: RuntimeEvents = {}): ChainRun {
  const plugins = hooksOf(one, look).map((hook, at) =>
    definePlugin({
      name: `plugin_${at}`,
      version: '1.0.0',
      category: 'authentication',
      triggers: ['before_request'],
      config: v.object({}),
      setup: () => ({ request: hook }),
    }),
  );
  const execution = {
    timeout_ms: 1000,
    hook_timeouts_ms: { request: 1000 },
    failure_threshold: 5,
    recovery_timeout_ms: 10_000,
    failure_mode: 'strict',
    max_concurrency: 64,
  } as const;
  const instances = plugins.map(({ name }) => ({ id: name, name, execution, config: {} }));
  const chain = createRuntime({ plugins, instances, events }).chainFor({ gateway: { id: 'g1', name: 'edge' } });
  const exchange = request();
  return () => chain.runRequest(exchange);
}

type HonoCompose = (
  middleware: readonly (readonly [readonly [Middleware, unknown], unknown])[],
) => (context: Seen & { req: object; finalized: boolean }, next?: Next) => Promise<unknown>;

/** Hono's compose is no public entry point; it is measured where it lies. */
async function honoRun(one: ChainCase, look: Look): Promise<ChainRun> {
  const file = new URL('./compose.js', import.meta.resolve('hono')).href;
  const { compose } = (await import(file)) as { compose: HonoCompose };
  const run = compose(middlewareOf(one, look).map((middleware) => [[middleware, undefined], {}] as const));
  const context = { request: { method: 'GET' }, req: {}, finalized: true };
  return () => run(context);
}

function koaRun(one: ChainCase, look: Look): ChainRun {
  const run = koaCompose(middlewareOf(one, look));
  const context = { request: { method: 'GET' } };
  return () => run(context);
}
