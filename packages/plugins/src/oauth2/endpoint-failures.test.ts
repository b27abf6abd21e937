import type { ServerResponse } from 'node:http';
import { freePort } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, startIntrospectionServer, type IntrospectionServer } from '../testing/introspection-server.ts';
import { localOutbound } from '../testing/key-server.ts';
import { PluginBench } from '../testing/plugin-bench.ts';
import { oauth2 } from './index.ts';

let server: IntrospectionServer;
beforeAll(async () => {
  server = await startIntrospectionServer();
});
afterAll(() => server.close());

async function outcomeOf(more: object = {}) {
  const logged: unknown[] = [];
  const note = (...entry: readonly unknown[]): void => void logged.push(entry);
  const config = {
    introspection_url: server.url,
    client_id: 'g',
    client_secret: 'canary-secret',
    timeout_seconds: 30,
    ...more,
  };
  const bench = new PluginBench(oauth2, config, { outbound: localOutbound, log: { warn: note, error: note } });
  const { result, exchange } = await bench.request({ headers: ['authorization', 'Bearer canary-token'] });
  const failure = result === 'failed' ? exchange.failure : undefined;
  expect(JSON.stringify([logged, failure])).not.toContain('canary');
  return {
    result,
    status: result === 'respond' ? exchange.response.status : undefined,
    failure: failure?.code,
    logged: JSON.stringify(logged),
    bench,
  };
}

const raw =
  (body: string | Buffer, status = 200) =>
  (res: ServerResponse) =>
    void res.writeHead(status).end(body);
const json =
  (body: object, status = 200) =>
  (res: ServerResponse) =>
    answer(res, body, status);

describe('an introspection endpoint', () => {
  it.each<[string, (res: ServerResponse) => void, RegExp]>([
    [
      'refuses our secret',
      json({ error: 'invalid_client' }, 401),
      /answered 401: it refuses client_id or client_secret/,
    ],
    ['refuses our secret with 400', json({ error: 'invalid_client' }, 400), /answered 400: it refuses client_id/],
    ['breaks off', (res) => void res.writeHead(200, { 'content-length': '99' }).write('{', () => res.destroy()), /./],
  ])('lets nobody pass, with 503 and a word for the operator, when it %s', async (_name, behave, message) => {
    server.answerWith(behave);
    const { result, failure, logged } = await outcomeOf();
    expect([result, failure]).toEqual(['failed', 'plugin_failed']);
    expect(logged).toMatch(message);
  });

  it.each<[string, (res: ServerResponse) => void, RegExp]>([
    ['fails', json({ active: true }, 500), /answered 500/],
    ['has no time', raw('', 503), /answered 503/],
    ['answers with a page', raw('<html>'), /something else than JSON/],
    ['answers with nothing', raw(''), /something else than JSON/],
    ['answers with a list', raw('[{"active":true}]'), /something else than JSON/],
    ['answers with bytes that are no text', raw(Buffer.from('7b22616374697665ff', 'hex')), /something else than JSON/],
    ['says active twice', raw('{"active":false,"active":true}'), /something else than JSON/],
    ['does not say active', json({ sub: 'u1' }), /without active/],
    ['says active in words', json({ active: 'true' }), /without active/],
    ['says a time in words', json({ active: true, exp: '2030' }), /times that are none/],
    ['answers 400 without a reason', raw('', 400), /answered 400/],
    ['forbids, as a filter in front of it does', raw('', 403), /answered 403/],
    ['is not there', raw('not found', 404), /answered 404/],
    ['finds the token too long', raw('', 413), /answered 413/],
    ['has too much to do', raw('', 429), /answered 429/],
    ['redirects', (res) => void res.writeHead(307, { location: server.url }).end(), /answered 307/],
    ['says too much', json({ active: true, more: 'x'.repeat(65_536) }), /said more than 65536 bytes/],
  ])('gets 503 for the one token, and is no reason to close for all, when it %s', async (_name, behave, message) => {
    server.answerWith(behave);
    const { result, bench, logged, status } = await outcomeOf();
    expect([result, status]).toEqual(['respond', 503]);
    expect(logged).toMatch(message);
    for (let times = 0; times < 5; times += 1) await bench.request({ headers: ['authorization', `Bearer t${times}`] });
    server.answerWith(json({ active: true }));
    expect((await bench.request({ headers: ['authorization', 'Bearer good'] })).result).toBe('continue');
  });

  it('lets nobody pass when it does not answer in time', async () => {
    server.answerWith(() => undefined);
    expect(await outcomeOf({ timeout_seconds: 0.1 })).toMatchObject({ result: 'failed', failure: 'plugin_failed' });
  });

  it('lets nobody pass when nobody listens there', async () => {
    const introspection_url = `http://127.0.0.1:${await freePort()}/introspect`;
    expect(await outcomeOf({ introspection_url })).toMatchObject({ result: 'failed', failure: 'plugin_failed' });
  });

  it('is not asked where the operator does not allow it', async () => {
    const introspection_url = 'http://127.0.0.2:9/introspect';
    expect(await outcomeOf({ introspection_url })).toMatchObject({ result: 'failed', failure: 'plugin_failed' });
  });

  it('is asked again once it answers: failures are not remembered', async () => {
    server.answerWith(raw('', 500));
    const { bench } = await outcomeOf();
    server.answerWith(json({ active: true }));
    const { result } = await bench.request({ headers: ['authorization', 'Bearer canary-token'] });
    expect(result).toBe('continue');
  });

  it.each(['invalid_request', 'invalid_token', 'unsupported_token_type'])(
    "has said enough when it cannot read the token: 400 %s is the client's fault",
    async (error) => {
      server.answerWith(json({ error }, 400));
      expect((await outcomeOf()).result).toBe('respond');
    },
  );
});
