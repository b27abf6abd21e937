import { request } from 'node:http';
import { once } from 'node:events';
import { definePlugin } from '@portcullis/plugin-runtime';
import { startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';

const words = 'abcdefghij';
const setter = { id: 'h', name: 'response_header_setter', trigger: 'all', config: { set: { 'x-by': 'gateway' } } };
const keys = { id: 'k', name: 'api_key_auth', trigger: 'all', config: { valid_keys: ['open-sesame'] } };

/** A plugin that looks at events as they pass. */
const onlooker = definePlugin({
  name: 'test_onlooker',
  version: '1.0.0',
  category: 'observability',
  triggers: ['all', 'stream'],
  config: v.object({}),
  setup: () => ({
    response: () => ({ headers: [{ op: 'set', name: 'x-by', value: 'gateway' }] }),
    stream: () => Promise.resolve(undefined),
  }),
});

describe('answers on routes with plugins', () => {
  it('bring each event when it comes', async () => {
    let next = (): void => undefined;
    await using upstream = await startUpstream({
      stream: (_req, res) => {
        let sent = 0;
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.flushHeaders();
        next = () => void res.write(`data: ${(sent += 1)}\n\n`);
      },
    });
    const onlookers = ['all', 'stream'].map((trigger) => ({ id: trigger, name: 'test_onlooker', trigger, config: {} }));
    const resources = { ...everythingTo(upstream.url), plugins: onlookers };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins: [onlooker] });
    const over = new AbortController();
    const answer = await fetch(gateway.url, { signal: over.signal });
    expect([answer.status, answer.headers.get('x-by')]).toEqual([200, 'gateway']);
    const reader = answer.body?.getReader();
    for (const event of ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']) {
      // Nothing of the next one is sent before this one is here.
      next();
      expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(event);
    }
    over.abort();
  });

  it('keep parts as they are, and a HEAD its length', async () => {
    await using upstream = await startUpstream((req, res) => {
      if (req.headers.range !== 'bytes=2-4') {
        res.writeHead(200, { 'content-length': words.length, 'accept-ranges': 'bytes', etag: '"1"' });
        res.end(req.method === 'HEAD' ? undefined : words);
        return;
      }
      res.writeHead(206, { 'content-range': `bytes 2-4/${words.length}`, 'content-length': 3, etag: '"1"' });
      res.end(words.slice(2, 5));
    });
    await using gateway = await startTestGateway({ ...everythingTo(upstream.url), plugins: [setter] });
    const part = await fetch(gateway.url, { headers: { range: 'bytes=2-4', 'if-range': '"1"' } });
    expect([part.status, part.headers.get('content-range'), part.headers.get('x-by'), await part.text()]).toEqual([
      206,
      'bytes 2-4/10',
      'gateway',
      'cde',
    ]);
    expect(upstream.requests[0]?.headers).toMatchObject({ range: 'bytes=2-4', 'if-range': '"1"' });
    const head = await exchangeRaw(gateway.port, 'HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n.*content-length: 10\r\n.*\r\n\r\n$/is);
  });
});

describe('a client that waits to be told to send its body', () => {
  const post = (port: number, key: string) =>
    request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 2, 'x-api-key': key },
    });

  it('is told so when the body is wanted, and is never told where a plugin refuses', async () => {
    await using upstream = await startUpstream((_req, res, { body }) => void res.end(`got ${String(body)}`));
    await using gateway = await startTestGateway({ ...everythingTo(upstream.url), plugins: [keys] });
    const refused = post(gateway.port, 'wrong');
    let told = 0;
    refused.on('continue', () => (told += 1));
    refused.flushHeaders();
    const [answer] = (await once(refused, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect([answer.statusCode, told]).toEqual([401, 0]);
    refused.destroy();
    const taken = post(gateway.port, 'open-sesame');
    taken.flushHeaders();
    await once(taken, 'continue');
    taken.end('hi');
    const [served] = (await once(taken, 'response')) as [NodeJS.ReadableStream];
    let text = '';
    for await (const chunk of served) text += String(chunk);
    expect(text).toBe('got hi');
    // The gateway has told the client itself: the service is not asked whether it wants what is on its way.
    expect(upstream.requests[0]?.headers).not.toHaveProperty('expect');
  });
});
