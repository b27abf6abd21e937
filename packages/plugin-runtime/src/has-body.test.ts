import { describe, expect, it } from 'vitest';
import { createFetchHandler } from './fetch.ts';
import { serve, send } from './node/node-server.test-support.ts';
import { exchangeOf, pluginOf } from './testing/fixtures.ts';

const readBody = () => Promise.resolve(new Uint8Array(0));

describe('whether a request has a body', () => {
  it('is what the host says, until a plugin puts another in its place', () => {
    const [without, withBody] = [exchangeOf(), exchangeOf({ readBody })];
    expect([without.request.hasBody, withBody.request.hasBody]).toEqual([false, true]);
    without.applyRequestEdits({ body: 'x' });
    withBody.applyRequestEdits({ body: '' });
    expect([without.request.hasBody, withBody.request.hasBody]).toEqual([true, false]);
  });

  it('is known in ./fetch and in ./node', async () => {
    const seen: boolean[] = [];
    const hooks = { request: ({ request }: { request: { hasBody: boolean } }) => void seen.push(request.hasBody) };
    const handle = createFetchHandler({
      plugins: [pluginOf('subject', () => hooks)],
      inline: [{ name: 'subject' }],
      upstream: () => new Response(),
    });
    await handle(new Request('http://a.test/'));
    await handle(new Request('http://a.test/', { method: 'POST', body: 'x' }));
    await using server = await serve(hooks, (_req, res) => res.end());
    await send(server);
    await send(server, { method: 'POST', body: 'x' });
    await send(server, { method: 'POST', body: ['in', 'chunks'] });
    await send(server, { method: 'POST', headers: { 'content-length': '0' } });
    expect(seen).toEqual([false, true, false, true, true, false]);
  });
});

describe('a body that a plugin can do without', () => {
  it.each([
    [undefined, false],
    [false, false],
    [true, true],
  ])('with %s, the host is told %s', async (isOptional, told) => {
    const asked: unknown[] = [];
    const { request } = exchangeOf({ readBody: async (...args) => void asked.push(args) });
    expect(await (isOptional === undefined ? request.readBody(10) : request.readBody(10, isOptional))).toBeUndefined();
    expect(asked).toEqual([[10, told]]);
  });
});
