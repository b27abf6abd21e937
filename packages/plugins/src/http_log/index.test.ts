import { createEgress } from '@portcullis/egress';
import { eventually, FakeClock, freePort } from '@portcullis/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmitterBench } from '../testing/emitter-bench.ts';
import { startHttpSink, type HttpSink } from '../testing/http-sink.ts';
import { httpLog } from './index.ts';

let sink: HttpSink;
beforeEach(async () => {
  sink = await startHttpSink();
});
afterEach(() => sink.close());

describe('http_log', () => {
  it('sends a record of a request, as an object, soon and without being asked', async () => {
    const bench = new EmitterBench(httpLog, { http_endpoint: sink.url });
    await bench.send({ method: 'GET', path: '/orders', query: 'token=canary', headers: ['authorization', 'canary'] });
    await eventually(() => bench.count('records_sent') === 1);
    const [call] = sink.requests;
    expect([call?.method, call?.headers['content-type']]).toEqual(['POST', 'application/json']);
    expect(JSON.parse(String(call?.body))).toMatchObject({
      method: 'GET',
      path: '/orders',
      query: 'token=***',
      status: 200,
    });
    expect(String(call?.body)).not.toContain('canary');
    await bench.dispose();
  });

  it.each([
    ['application/json', '[{', '}]'],
    ['application/x-ndjson', '{', '}\n'],
    ['application/jsonl; charset=utf-8', '{', '}\n'],
  ])('sends several in one call as %s', async (contentType, begin, end) => {
    const bench = new EmitterBench(httpLog, { endpoint: sink.url, content_type: contentType });
    for (let sent = 0; sent < 3; sent += 1) await bench.send({ path: `/${sent}` });
    await bench.dispose();
    const [call, ...more] = sink.requests;
    expect([more.length, call?.headers['content-type']]).toEqual([0, contentType]);
    const body = String(call?.body);
    expect([body.startsWith(begin), body.endsWith(end)]).toEqual([true, true]);
    expect(sink.records().map(({ path }) => path)).toEqual(['/0', '/1', '/2']);
  });

  it('sends its headers with the configured method; a reference is read anew for each call', async () => {
    let secret = 'first';
    const secrets = { read: (reference: string) => (reference === 'vault://keys/logs' ? secret : 'other') };
    const bench = new EmitterBench(
      httpLog,
      { endpoint: sink.url, method: 'PUT', headers: { 'X-Key': 'vault://keys/logs', 'X-Plain': 'a' } },
      { secrets },
    );
    await bench.send();
    await eventually(() => bench.count('records_sent') === 1);
    secret = 'second';
    await bench.send();
    await bench.dispose();
    expect(sink.requests.map(({ method, headers }) => [method, headers['x-key'], headers['x-plain']])).toEqual([
      ['PUT', 'first', 'a'],
      ['PUT', 'second', 'a'],
    ]);
  });

  it.each([408, 425, 429, 500, 503])('makes a call again that was answered with %d', async (status) => {
    const clock = new FakeClock();
    sink.answerWith((res, call) => void res.writeHead(call === 1 ? status : 204).end());
    const bench = new EmitterBench(httpLog, { endpoint: sink.url, timeout: 60 }, { clock, random: () => 0 });
    await bench.send();
    await eventually(() => {
      clock.advance(250);
      return bench.count('records_sent') === 1;
    });
    expect(sink.requests.map(({ body }) => String(body))).toEqual(
      [sink.requests[0], sink.requests[0]].map((one) => String(one?.body)),
    );
    await bench.dispose();
  });

  it.each([
    ['nothing', 204, ''],
    ['a long text', 200, 'x'.repeat(1_500_000)],
    ['what is no JSON', 202, '<ok/>'],
  ])('takes any 2xx for a yes: %s', async (_name, status, answer) => {
    sink.answerWith((res) => void res.writeHead(status).end(answer));
    const bench = new EmitterBench(httpLog, { endpoint: sink.url });
    await bench.send();
    await eventually(() => bench.count('records_sent') === 1);
    expect([sink.requests.length, bench.warnings]).toEqual([1, []]);
    await bench.dispose();
  });

  it.each([301, 400, 401, 404, 413])('makes no call again that was answered with %d', async (status) => {
    sink.answerWith((res) => void res.writeHead(status, { location: `${sink.url}/elsewhere` }).end());
    const bench = new EmitterBench(httpLog, { endpoint: sink.url });
    await bench.send();
    await eventually(() => bench.count('records_failed') === 1);
    expect([sink.requests.length, bench.warnings]).toEqual([
      1,
      [[expect.any(String), expect.objectContaining({ said: `the sink answered ${status}` })]],
    ]);
    await bench.dispose();
  });

  it('asks no address that the operator does not allow, and says so without naming it', async () => {
    const bench = new EmitterBench(httpLog, { endpoint: sink.url }, { outbound: createEgress() });
    await bench.send();
    await eventually(() => bench.count('records_failed') === 1);
    expect(sink.requests).toEqual([]);
    expect(JSON.stringify(bench.warnings)).not.toContain('127.0.0.1');
    expect(bench.warnings[0]?.[1]).toMatchObject({ said: 'the call failed: refused' });
    await bench.dispose();
  });

  it.each([
    ['nobody listens', async () => `http://127.0.0.1:${await freePort()}/in`, {}],
    ['no answer comes', () => sink.url, { timeout: 0.05 }],
  ])('gives up what it could not send for too long: %s', async (_name, url, more) => {
    const clock = new FakeClock();
    sink.answerWith(() => undefined);
    const bench = new EmitterBench(httpLog, { endpoint: await url(), ...more }, { clock });
    await bench.send();
    await eventually(() => {
      clock.advance(20_000);
      return bench.count('records_failed') === 1;
    });
    expect([bench.count('records_dropped'), bench.count('records_sent')]).toEqual([0, 0]);
    expect(bench.warnings.filter(([message]) => message === 'records were lost')).toHaveLength(1);
    await bench.dispose();
  });
});

describe('http_log with fail_on_error', () => {
  const waiting = { fail_on_error: true, timeout: 4 };

  it('answers when the sink has the record', async () => {
    const bench = new EmitterBench(httpLog, { endpoint: sink.url, ...waiting });
    const { response } = await bench.send({ status: 201 });
    expect([response.status, sink.records()]).toEqual([
      201,
      [expect.objectContaining({ status: 201, complete: null })],
    ]);
    await bench.dispose();
    expect(sink.requests).toHaveLength(1);
  });

  it.each([
    ['refuses it', 400],
    ['cannot take it now', 503],
    ['sends elsewhere', 302],
  ])('answers 502 when the sink %s, with status %d, and tells it of that', async (_name, status) => {
    sink.answerWith((res, call) => void res.writeHead(call === 1 ? status : 200).end());
    const bench = new EmitterBench(httpLog, { endpoint: sink.url, ...waiting });
    const { response } = await bench.send();
    expect([response.status, sink.requests.length]).toEqual([502, 1]);
    await bench.dispose();
    expect([sink.requests.length, bench.count('records_sent'), bench.count('records_failed')]).toEqual([2, 1, 0]);
    expect(sink.records().map((record) => record['status'])).toEqual([200, 502]);
  });

  it('answers 502 when the sink is silent, or gone', async () => {
    sink.answerWith((_res) => undefined);
    for (const endpoint of [sink.url, `http://127.0.0.1:${await freePort()}/`]) {
      const bench = new EmitterBench(httpLog, { endpoint, fail_on_error: true, timeout: 0.05 });
      const { response } = await bench.send();
      expect(response.status).toBe(502);
      // What the background has of it is not waited for.
      void bench.dispose();
    }
  });
});
