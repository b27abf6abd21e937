import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { PluginHooks } from '../index.ts';
import { createNodeMiddleware } from '../node.ts';
import { endNotes } from '../testing/end-notes.ts';
import { pluginOf } from '../testing/fixtures.ts';
import { bodyOf, send, serve, type Application } from './node-server.test-support.ts';

const hello: Application = (_request, response) => response.end('hello');
const fail = (): never => {
  throw new Error('a fault');
};
const authentication = { category: 'authentication' } as const;
const left = { status: undefined, isComplete: false };

describe('the end of a request behind createNodeMiddleware', () => {
  it.each<[string, PluginHooks, Application, number]>([
    ['an answer', {}, hello, 200],
    ['an answer behind stream hooks', { stream: () => undefined }, hello, 200],
    ['an answer behind a slow response hook', { response: () => Promise.resolve() }, hello, 200],
    ['an application that throws', {}, fail, 502],
    ['a refusal of a plugin', { request: () => ({ status: 403 }) }, hello, 403],
    ['a plugin that fails', { request: fail }, hello, 503],
    ['a plugin that fails over the answer', { response: fail }, hello, 503],
  ])('%s is told once', async (_name, hooks, application, status) => {
    const notes = endNotes(hooks);
    await using server = await serve(notes.hooks, application, authentication);
    expect((await send(server)).status).toBe(status);
    await eventually(() => notes.heard.length > 0);
    expect(notes.heard).toMatchObject([{ status, isComplete: true }]);
  });

  it('tells of an answer that is cut: by the application, and by a stream hook', async () => {
    const notes = endNotes({ stream: (_exchange, { bytes }) => (bytes.length === 3 ? fail() : undefined) });
    const cutting: Application = ({ url }, response) => {
      response.write('begun', () => (url === '/hook' ? response.write('cut') : response.destroy()));
    };
    await using server = await serve(notes.hooks, cutting, authentication);
    for (const path of ['/application', '/hook']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await send(server, { path })).isCut).toBe(true);
    }
    const cut = { status: 200, isComplete: false };
    await eventually(() => notes.heard.length === 2);
    expect(notes.heard).toMatchObject([cut, cut]);
    expect(notes.heard.map(({ failure }) => failure?.code)).toEqual([undefined, 'plugin_failed']);
  });

  it.each<[string, PluginHooks, Application, { status: number | undefined; isComplete: boolean }]>([
    ['while the application works', {}, () => undefined, left],
    ['while a request hook works', { request: () => new Promise(() => undefined) }, hello, left],
    ['while a response hook works', { response: () => new Promise(() => undefined) }, hello, left],
    ['in the middle', {}, (_request, response) => response.write('begun'), { status: 200, isComplete: false }],
  ])('tells of a client that left %s', async (_name, hooks, application, end) => {
    let reached = 0;
    const counted = (hook: ((...args: never) => unknown) | undefined) =>
      hook && ((...args: never) => ((reached += 1), hook(...args)));
    const notes = endNotes(
      Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, counted(hook as never)])),
    );
    const runs: Application = (...args) => ((reached += 1), application(...args));
    await using server = await serve(notes.hooks, runs);
    const client = httpRequest({ port: server.port, host: '127.0.0.1', agent: false }).end();
    client.on('error', () => undefined);
    const answered = end.status === undefined ? undefined : once(client, 'response');
    await eventually(() => reached > 0);
    await answered;
    client.destroy();
    await eventually(() => notes.heard.length > 0);
    expect(notes.heard).toMatchObject([{ ...end, failure: { code: 'client_left' } }]);
  });

  it('tells of requests that the server cuts when it stops', async () => {
    const notes = endNotes();
    const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>();
    const server = await serve(notes.hooks, (_request, response) => void response.write('begun', () => begin()));
    const answer = send(server).catch(() => undefined);
    await isBegun;
    await server[Symbol.asyncDispose]();
    await answer;
    expect(notes.heard).toMatchObject([{ status: 200, isComplete: false }]);
    expect(notes.heard[0]?.failure).toBeUndefined();
  });

  it.each<[string, object, Application, object]>([
    ['text', { method: 'POST', body: 'four' }, hello, { requestBytes: 4, responseBytes: 5 }],
    ['bytes of a text that has more than letters', {}, (_request, response) => response.end('ä'), { responseBytes: 2 }],
    ['a body of no stated length', { method: 'POST', body: ['a', 'b'] }, hello, { requestBytes: undefined }],
    ['an answer to HEAD', { method: 'HEAD' }, hello, { requestBytes: 0, responseBytes: 0 }],
  ])('has figures: %s', async (_name, asked, application, figures) => {
    const clock = new FakeClock();
    const notes = endNotes({ request: () => clock.advance(20) });
    const reads: Application = async (request, response) => {
      await bodyOf(request);
      clock.advance(30);
      await application(request, response);
    };
    await using server = await serve(notes.hooks, reads, { clock });
    await send(server, asked);
    await eventually(() => notes.heard.length > 0);
    expect(notes.heard[0]?.figures).toEqual(
      expect.objectContaining({ latencyMs: 50, upstreamLatencyMs: 30, ...figures }),
    );
  });

  it('runs nothing for a client that left before the middleware', async () => {
    let ran = 0;
    const plugin = pluginOf('subject', () => ({ request: () => void (ran += 1) }));
    const middleware = createNodeMiddleware({ plugins: [plugin], inline: [{ name: 'subject' }] });
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      response.once('close', () => {
        middleware(request, response, () => (ran += 1));
        resolve();
      });
      client.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = httpRequest({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }).end();
    client.on('error', () => undefined);
    await isOver;
    expect(ran).toBe(0);
    // Nobody holds a lease: it closes.
    await middleware.close();
    server.close();
  });
});
