import { AsyncLocalStorage } from 'node:async_hooks';
import { context, ROOT_CONTEXT, SpanStatusCode, trace, type Context, type ContextManager } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetchHandler } from '../fetch.ts';
import type { PluginHooks } from '../index.ts';
import { otelEvents, type OtelEventsOptions } from '../otel.ts';
import { pluginOf } from '../testing/fixtures.ts';

/** What the packages of OpenTelemetry for Node do: the active context follows promises. */
class Contexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    call: F,
    _thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(active, () => call(...args));
  }
  bind<T>(_context: Context, target: T): T {
    return target;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    return this;
  }
}

beforeAll(() => void context.setGlobalContextManager(new Contexts()));
afterAll(() => context.disable());

function tracing(hooks: PluginHooks, options: OtelEventsOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer('test');
  const plugin = pluginOf('subject', () => hooks, { triggers: ['all'] });
  const handler = createFetchHandler({
    plugins: [plugin],
    instances: [
      { id: 'i1', name: 'subject', config: { secret: 'config-secret' }, execution: { failure_threshold: 1 } },
    ],
    tenantId: 'acme',
    newId: () => 'r1',
    events: otelEvents({ tracer, ...options }),
    upstream: () => new Response('body-secret'),
  });
  const send = async () => {
    const headers = { authorization: 'header-secret' };
    await (await handler(new Request('http://a.test/', { headers }))).text();
  };
  return { tracer, send, spans: () => exporter.getFinishedSpans() };
}

describe('otelEvents', () => {
  it('makes a span of each hook below the active one, with names, IDs and outcome', async () => {
    const later = () => new Promise<void>((resolve) => setImmediate(resolve));
    const { tracer, send, spans } = tracing({ request: later, response: () => undefined, stream: later });
    await tracer.startActiveSpan('server', async (span) => {
      await send();
      span.end();
    });
    const server = spans().find(({ name }) => name === 'server');
    const hooks = spans().filter(({ name }) => name !== 'server');
    expect(hooks.map(({ name }) => name)).toEqual([
      'plugin subject request',
      'plugin subject response',
      'plugin subject stream',
      'plugin subject stream',
    ]);
    expect(hooks.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
      hooks.map(() => server?.spanContext().spanId),
    );
    expect(hooks[0]?.attributes).toEqual({
      'portcullis.plugin.name': 'subject',
      'portcullis.plugin.instance': 'i1',
      'portcullis.tenant': 'acme',
      'portcullis.request_id': 'r1',
      'portcullis.plugin.stage': 'request',
      'portcullis.plugin.outcome': 'continue',
    });
    expect(hooks[0]?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('says why a hook did not do its work, and that the circuit opened, and quotes nothing', async () => {
    const fail = (): never => {
      throw new RangeError('error-secret');
    };
    const { tracer, send, spans } = tracing({ request: fail });
    await tracer.startActiveSpan('server', async (span) => {
      await send();
      await send();
      span.end();
    });
    const hooks = spans().filter(({ name }) => name === 'plugin subject request');
    const told = hooks.map(({ attributes, status }) => [
      attributes['portcullis.plugin.fault'],
      attributes['error.type'],
      attributes['portcullis.plugin.outcome'],
      status.code,
    ]);
    expect(told).toEqual([
      ['threw', 'RangeError', 'skipped', SpanStatusCode.ERROR],
      ['circuit_open', undefined, 'skipped', SpanStatusCode.ERROR],
    ]);
    const server = spans().find(({ name }) => name === 'server');
    expect(server?.events.map(({ name, attributes }) => [name, attributes?.['portcullis.circuit.to']])).toEqual([
      ['plugin circuit changed', 'open'],
    ]);
    const all = JSON.stringify(
      spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    );
    expect(all).not.toContain('secret');
  });

  it('makes a span of a circuit that changes where no span is active', async () => {
    const fail = (): never => {
      throw new Error('x');
    };
    const { send, spans } = tracing({ request: fail });
    await send();
    expect(spans().map(({ name }) => name)).toEqual(['plugin subject circuit', 'plugin subject request']);
  });

  it('leaves out what was quick, unless it failed', async () => {
    let isBroken = false;
    const request = () => {
      if (isBroken) throw new Error('x');
    };
    const { send, spans } = tracing({ request }, { durationMsMin: 60_000 });
    await send();
    expect(spans()).toEqual([]);
    isBroken = true;
    await send();
    expect(spans().map(({ name }) => name)).toContain('plugin subject request');
  });

  it('goes to the global provider, where nothing is registered to nobody', async () => {
    expect(trace.getTracer('any').startSpan('x').isRecording()).toBe(false);
    const events = otelEvents();
    const subject = { logFields: { request_id: 'r1' } };
    const instance = { id: 'i', name: 'n', tenantId: '' };
    expect(() => events.onHookFault(instance, 'request', 'threw', null, subject)).not.toThrow();
    expect(() => events.onHookEnd(instance, 'request', 'skipped', 1, subject)).not.toThrow();
  });
});
