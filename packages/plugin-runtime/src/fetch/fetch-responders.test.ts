import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createFetchHandler } from '../fetch.ts';
import { createHonoMiddleware } from '../hono.ts';
import type { PluginHooks } from '../index.ts';
import { testPlugin } from '../testing.ts';
import { pluginOf } from '../testing/fixtures.ts';
import { answerWith, HandFedStream, PieceStream, respondingHooks } from '../testing/hand-fed-stream.ts';

function optionsOf(hooks: PluginHooks) {
  return { plugins: [pluginOf('subject', () => hooks, { triggers: ['all'] })], inline: [{ name: 'subject' }] };
}

const upstream = () => {
  throw new Error('the upstream is not called');
};
const url = 'http://api.test/';

/** The two hosts of web requests. */
const hosts: readonly (readonly [string, (hooks: PluginHooks) => (request: Request) => Promise<Response>])[] = [
  ['createFetchHandler', (hooks) => createFetchHandler({ ...optionsOf(hooks), upstream })],
  [
    'createHonoMiddleware',
    (hooks) => {
      const app = new Hono();
      app.use(createHonoMiddleware(optionsOf(hooks)) as never);
      app.get('*', upstream);
      return async (request) => await app.fetch(request);
    },
  ],
];

describe.each(hosts)('%s with a responder', (_name, hostOf) => {
  it('answers with its text and its stream, with hooks over both', async () => {
    const text = await hostOf(respondingHooks(() => answerWith('text')))(new Request(url));
    expect([text.status, text.headers.get('x-made'), await text.text()]).toEqual([200, 'yes', 'text']);
    const upper: PluginHooks['stream'] = (_exchange, { bytes }) => ({
      bytes: new TextEncoder().encode(new TextDecoder().decode(bytes).toUpperCase()),
    });
    const respond = () => answerWith(new PieceStream('a', 'b', 'c'));
    expect(await (await hostOf(respondingHooks(respond))(new Request(url))).text()).toBe('abc');
    expect(await (await hostOf(respondingHooks(respond, { stream: upper }))(new Request(url))).text()).toBe('ABC');
    const reading = respondingHooks(respond, {
      response: async ({ response }) => ({
        headers: [{ op: 'set', name: 'x-length', value: `${(await response.readBody(10))?.length}` }],
      }),
    });
    const read = await hostOf(reading)(new Request(url));
    expect([read.headers.get('x-length'), await read.text()]).toEqual(['3', 'abc']);
  });

  it('lets the plugin wait for the reader, and tells it that the reader left', async () => {
    const stream = new HandFedStream();
    const response = await hostOf(respondingHooks(() => answerWith(stream)))(new Request(url));
    expect(stream.sink).toBeUndefined();
    const reader = response.body?.getReader();
    const first = reader?.read();
    await Promise.resolve();
    expect(stream.write('x')).toBe(true);
    expect((await first)?.value).toHaveLength(1);
    expect(stream.write('y'.repeat(70_000))).toBe(false);
    expect((await reader?.read())?.value).toHaveLength(70_000);
    const more = reader?.read();
    await Promise.resolve();
    expect(stream.resumes).toBe(1);
    stream.write('z');
    await more;
    await reader?.cancel();
    expect(stream.cancels).toBe(1);
  });

  it('cancels a stream that nobody wants', async () => {
    const replaced = new HandFedStream();
    const replacing = respondingHooks(() => answerWith(replaced), { response: () => ({ status: 418, body: 'mine' }) });
    expect(await (await hostOf(replacing)(new Request(url))).text()).toBe('mine');
    const headless = new HandFedStream();
    await hostOf(respondingHooks(() => answerWith(headless)))(new Request(url, { method: 'HEAD' }));
    const left = new HandFedStream();
    const client = new AbortController();
    const thinking = respondingHooks(({ signal }) => {
      client.abort();
      return answerWith(signal.aborted ? left : 'not told');
    });
    await hostOf(thinking)(new Request(url, { signal: client.signal })).catch(() => undefined);
    expect([replaced, headless, left].map(({ cancels, sink }) => [cancels, sink])).toEqual([
      [1, undefined],
      [1, undefined],
      [1, undefined],
    ]);
  });

  it('answers 503 when it fails, and breaks a stream off that does', async () => {
    const failing = await hostOf(respondingHooks(() => Promise.reject(new Error('canary'))))(new Request(url));
    expect([failing.status, await failing.json()]).toMatchObject([503, { code: 'plugin_failed' }]);
    const stream = new HandFedStream();
    const response = await hostOf(respondingHooks(() => answerWith(stream)))(new Request(url));
    const text = response.text();
    await Promise.resolve();
    stream.write('part');
    stream.sink?.fail();
    await expect(text).rejects.toThrow('the answer broke off');
  });
});

describe('testPlugin', () => {
  it('takes what a responder answers, and says when it is not whole', async () => {
    const test = testPlugin(
      pluginOf(
        'subject',
        () =>
          respondingHooks(({ exchange }) => {
            if (exchange.request.path === '/throw') throw new Error('no');
            const stream = new HandFedStream();
            if (exchange.request.path !== '/broken') return answerWith(new PieceStream('a', 'b'));
            stream.start = (sink) => {
              sink.write(new TextEncoder().encode('part'));
              sink.fail();
            };
            return answerWith(stream);
          }),
        { triggers: ['all'] },
      ),
    );
    expect(await test.send()).toMatchObject({ status: 200, body: 'ab', isCut: false, forwarded: undefined });
    expect(await test.send({ url: `${url}broken` })).toMatchObject({ body: 'part', isCut: true });
    expect(await test.send({ url: `${url}throw` })).toMatchObject({ status: 503, failure: { code: 'plugin_failed' } });
  });
});
