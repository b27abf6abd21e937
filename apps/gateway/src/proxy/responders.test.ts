import { definePlugin } from '@portcullis/plugin-runtime';
import { eventually } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { exchangeRaw, openRaw } from '../testing/test-gateway.test-support.ts';
import { answerOf, HandFedStream, recordsOf, saying, startAnswering } from './responders.test-support.ts';

const get = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

describe('a plugin that answers', () => {
  it('does so on a route without a service, after all request hooks, with what they left', async () => {
    const identify = definePlugin({
      name: 'z_test_identify',
      version: '1.0.0',
      category: 'authentication',
      triggers: ['before_request'],
      config: v.object({}),
      setup: () => ({
        request: ({ request }) =>
          request.path === '/closed'
            ? { status: 401, body: 'who are you' }
            : { consumer: { id: 'c1', groups: [] }, headers: [{ op: 'set', name: 'x-late', value: 'yes' }] },
      }),
    });
    const respond = async ({ exchange }: Parameters<Parameters<typeof startAnswering>[0]>[0]) => {
      const { request, consumer } = exchange;
      const body = Buffer.from((await request.readBody(1000)) ?? []).toString();
      const text = `${body} by ${consumer?.id}, ${request.headers.get('x-late')}`;
      return { status: 201, headers: ['x-own', '1', 'content-length', '99'], body: text, source: 'upstream' } as const;
    };
    await using gateway = await startAnswering(respond, {}, { others: [identify] });
    const answer = await fetch(gateway.url, { method: 'POST', body: 'hello' });
    expect([answer.status, answer.headers.get('x-own'), await answer.text()]).toEqual([201, '1', 'hello by c1, yes']);
    expect((await fetch(`${gateway.url}/closed`)).status).toBe(401);
    await eventually(() => recordsOf(gateway).length === 2);
    const records = recordsOf(gateway).toSorted((one, other) => Number(one['status']) - Number(other['status']));
    expect(records).toMatchObject([
      {
        status: 201,
        status_source: 'upstream',
        consumer_id: 'c1',
        upstream_latency_us: expect.any(Number) as unknown,
        plugins: [
          { name: 'a_test_answerer', stage: 'request', outcome: 'respond' },
          { name: 'z_test_identify', stage: 'request', outcome: 'continue' },
        ],
      },
      {
        status: 401,
        status_source: 'plugin',
        plugins: [
          { name: 'a_test_answerer', outcome: 'continue' },
          { name: 'z_test_identify', outcome: 'respond' },
        ],
      },
    ]);
    expect(records[1]).not.toHaveProperty('upstream_latency_us');
  });

  it('streams as it writes, waits while the client reads nothing, and goes on when it does', async () => {
    const stream = new HandFedStream();
    await using gateway = await startAnswering(() => answerOf(stream, 'content-type', 'text/event-stream'));
    const client = openRaw(gateway.port);
    client.socket.write(get);
    await eventually(() => stream.sink);
    stream.write('first');
    await eventually(() => client.text().includes('first'));
    expect(client.text()).toMatch(/transfer-encoding: chunked/i);
    client.socket.pause();
    const piece = 'x'.repeat(256 * 1024);
    let written = 0;
    while (stream.write(piece) === true) written += 1;
    expect(written).toBeLessThan(200);
    expect(stream.resumes).toBe(0);
    client.socket.resume();
    await eventually(() => stream.resumes > 0);
    stream.write('last');
    stream.sink?.end();
    await client.closed;
    expect(client.text().endsWith('4\r\nlast\r\n0\r\n\r\n')).toBe(true);
    expect(stream.cancels).toBe(0);
  });

  it('hears at once that the client left, and what it says then is observed', async () => {
    const told: string[] = [];
    const streams: HandFedStream[] = [];
    await using gateway = await startAnswering((call) => {
      call.signal.addEventListener('abort', () => told.push('signal'));
      call.observe(saying({ model: 'm', outcome: 'success' }));
      const stream = new HandFedStream(() => {
        told.push('cancel');
        call.observe(saying({ outcome: 'client_left' }));
      });
      streams.push(stream);
      return answerOf(stream);
    });
    const client = openRaw(gateway.port);
    client.socket.write(get);
    const stream = await eventually(() => streams[0]?.sink && streams[0]);
    stream.write('begun');
    await eventually(() => client.text().includes('begun'));
    client.socket.destroy();
    await eventually(() => told.length === 2);
    expect([told, stream.cancels]).toEqual([['signal', 'cancel'], 1]);
    const [record] = await eventually(() => recordsOf(gateway).length > 0 && recordsOf(gateway));
    expect(record).toMatchObject({ status: 200, ai: { model: 'm', outcome: 'client_left' } });
  });

  it('hears that the client left while it thinks, and nobody takes its answer', async () => {
    const answer = Promise.withResolvers<ReturnType<typeof answerOf>>();
    const stream = new HandFedStream();
    let signal: AbortSignal | undefined;
    await using gateway = await startAnswering((call) => {
      ({ signal } = call);
      return answer.promise;
    });
    const client = openRaw(gateway.port);
    client.socket.write(get);
    await eventually(() => signal);
    client.socket.destroy();
    await eventually(() => signal?.aborted === true);
    answer.resolve(answerOf(stream));
    await eventually(() => stream.cancels === 1);
    expect(stream.sink).toBeUndefined();
    const [record] = await eventually(() => recordsOf(gateway).length > 0 && recordsOf(gateway));
    expect(record).toMatchObject({ status: 499 });
  });

  it('cuts an answer that does not become whole, so that the client sees it', async () => {
    const streams: HandFedStream[] = [];
    await using gateway = await startAnswering(() => {
      streams.push(new HandFedStream());
      return answerOf(streams.at(-1) as HandFedStream);
    });
    const raw = exchangeRaw(gateway.port, get).catch(() => 'reset');
    const stream = await eventually(() => streams[0]?.sink && streams[0]);
    stream.write('part');
    stream.sink?.fail();
    const text = await raw;
    if (text !== 'reset') expect(text).not.toContain('\r\n0\r\n\r\n');
    expect((await fetch(gateway.url, { method: 'HEAD' })).status).toBe(200);
    expect([streams[1]?.cancels, streams[1]?.sink]).toEqual([1, undefined]);
  });

  it('that fails is answered 503, whatever it throws or gives', async () => {
    const faults: Record<string, () => unknown> = {
      '/throws': () => {
        throw new Error('canary');
      },
      '/rejects': () => Promise.reject(new Error('canary')),
      '/nothing': () => undefined,
      '/status': () => ({ status: 99, source: 'plugin' }),
      '/header': () => ({ status: 200, source: 'plugin', headers: ['x', 'a\r\nb'] }),
      '/source': () => ({ status: 200, source: 'gateway' }),
      '/body': () => ({ status: 200, source: 'plugin', body: { start: 1 } }),
    };
    await using gateway = await startAnswering(({ exchange }) => faults[exchange.request.path]?.() as never);
    for (const path of Object.keys(faults)) {
      const answer = await fetch(gateway.url + path);
      const text = await answer.text();
      expect([path, answer.status, text.includes('plugin_failed'), text.includes('canary')]).toEqual([
        path,
        503,
        true,
        false,
      ]);
    }
  });
});
