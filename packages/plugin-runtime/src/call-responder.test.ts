import { describe, expect, it } from 'vitest';
import { callResponder } from './call-responder.ts';
import { createRuntime, type ExchangeState, type Responder, type RuntimeOptions } from './index.ts';
import { exchangeOf, gateway, pluginOf } from './testing/fixtures.ts';
import { answerWith, HandFedStream } from './testing/hand-fed-stream.ts';

/** Runs the request stage of plugins that return these, in this order. */
async function runEdits(edits: readonly unknown[], options: Partial<RuntimeOptions> = {}): Promise<ExchangeState> {
  const plugins = edits.map((edit, at) => pluginOf(`p${at}`, () => ({ request: () => edit as never })));
  const inline = plugins.map(({ name }) => ({ name }));
  const exchange = exchangeOf();
  await createRuntime({ plugins, inline, ...options })
    .chainFor({ gateway })
    .runRequest(exchange);
  return exchange;
}

const responder = (status: number): Responder => ({ respond: () => ({ status, source: 'plugin' }) });

describe('a responder', () => {
  it('of the last plugin that returns one counts, and no answer of a hook stops for it', async () => {
    const last = responder(202);
    const exchange = await runEdits([{ responder: responder(201) }, { responder: last }, { path: '/x' }]);
    expect([exchange.request.responder, exchange.answerer?.identity.name]).toEqual([last, 'p1']);
    expect(exchange.hasResponse).toBe(false);
  });

  it.each([null, 1, 'text', {}, { respond: 1 }, [() => 1]])('is none of %j', async (given) => {
    const faults: unknown[] = [];
    const events: RuntimeOptions['events'] = { onHookFault: (_i, _s, fault) => void faults.push(fault) };
    const exchange = await runEdits([{ path: '/not', responder: given }], { events });
    expect([faults, exchange.request.responder, exchange.request.path]).toEqual([['bad_result'], undefined, '/']);
  });

  it('that fails counts for the circuit of its plugin and is logged, without the request’s secrets', async () => {
    const lines: unknown[] = [];
    const log = { warn: () => undefined, error: (...line: unknown[]) => void lines.push(line) };
    const exchange = await runEdits([{ responder: { respond: () => Promise.reject(new Error('why')) } }], { log });
    const { responder: failing } = exchange.request;
    expect(await callResponder(exchange, failing as Responder)).toBe('failed');
    expect(exchange.failure).toMatchObject({ code: 'plugin_failed', plugin: 'p0' });
    expect(exchange.answerer?.circuit).toMatchObject({ phase: 'closed', failures: 1 });
    expect(lines).toMatchObject([['a plugin failed', { plugin: 'p0', stage: 'responder', error: 'Error: why' }]]);
  });

  it('whose client left, or broke its body off, did not fail', async () => {
    const left = await runEdits([{ responder: responder(200) }]);
    left.abort();
    expect(await callResponder(left, { respond: () => Promise.reject(new Error('gone')) })).toBe('failed');
    const readBody = () => Promise.reject(new Error('cut'));
    const broken = exchangeOf({ readBody });
    const reading: Responder = {
      respond: async ({ exchange }) => answerWith((await exchange.request.readBody(10)) ?? ''),
    };
    expect(await callResponder(broken, reading)).toBe('failed');
    expect(broken.failure.code).toBe('request_body_failed');
    expect(left.answerer?.circuit).toMatchObject({ phase: 'closed', failures: 0 });
  });

  it('says what is observed at any time, and what is no observation changes nothing', async () => {
    const exchange = exchangeOf();
    let observe: ((edits: never) => void) | undefined;
    await callResponder(exchange, {
      respond: (call) => {
        ({ observe } = call);
        call.observe({ ai: { a: 1 } });
        return answerWith('x');
      },
    });
    observe?.({ ai: { b: 2 }, sampled: false } as never);
    observe?.({ ai: [] } as never);
    observe?.({ ai: Object.fromEntries(Array.from({ length: 70 }, (_, at) => [at, at])) } as never);
    expect(exchange.observation).toEqual({ ai: { a: 1, b: 2 }, sampled: false });
  });
});

describe('the body of an answer', () => {
  async function streamOf(body: HandFedStream) {
    const reply = await callResponder(exchangeOf(), { respond: () => answerWith(body) });
    if (reply === 'failed' || reply.body instanceof Uint8Array) throw new Error('no stream');
    const heard: string[] = [];
    const sink = {
      write: (bytes: Uint8Array) => heard.push(String(bytes)) > 0,
      end: () => void heard.push('end'),
      fail: () => void heard.push('fail'),
    };
    return { stream: reply.body, sink, heard };
  }

  it('ends once, whatever its plugin says afterwards', async () => {
    const body = new HandFedStream();
    const { stream, sink, heard } = await streamOf(body);
    stream.start(sink);
    body.sink?.write(Uint8Array.of(1));
    body.sink?.end();
    expect([body.sink?.write(Uint8Array.of(2)), body.sink?.end(), body.sink?.fail()]).toEqual([
      false,
      undefined,
      undefined,
    ]);
    stream.cancel();
    stream.resume();
    expect([heard, body.cancels, body.resumes]).toEqual([['1', 'end'], 0, 0]);
  });

  it('that is cancelled first is never started, and one that throws or writes no bytes fails', async () => {
    const unwanted = new HandFedStream();
    const first = await streamOf(unwanted);
    first.stream.cancel();
    first.stream.cancel();
    first.stream.start(first.sink);
    expect([unwanted.cancels, unwanted.sink, first.heard]).toEqual([1, undefined, []]);
    const throwing = new HandFedStream();
    throwing.start = () => {
      throw new Error('no');
    };
    const second = await streamOf(throwing);
    second.stream.start(second.sink);
    expect([second.heard, throwing.cancels]).toEqual([['fail'], 1]);
    const textual = new HandFedStream();
    const third = await streamOf(textual);
    third.stream.start(third.sink);
    textual.sink?.write('text' as never);
    expect([third.heard, textual.cancels]).toEqual([['fail'], 1]);
  });
});
