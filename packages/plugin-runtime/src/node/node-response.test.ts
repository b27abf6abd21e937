import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import type { HeaderEdit, PluginHooks } from '../index.ts';
import { send, serve, type Application } from './node-server.test-support.ts';

const later = () => new Promise<void>((resolve) => setImmediate(resolve));
const marked: readonly HeaderEdit[] = [{ op: 'set', name: 'x-mark', value: 'yes' }];
const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? 'undefined' : new TextDecoder().decode(bytes));
const bytesOf = (value: string) => new TextEncoder().encode(value);

/** Ways in which applications write the same answer. */
const APPLICATIONS: readonly [string, Application][] = [
  ['one end', (_request, response) => void response.setHeader('x-app', 'a').end('one two')],
  ['a head and an end', (_request, response) => void response.writeHead(200, { 'x-app': 'a' }).end('one two')],
  [
    'a flat head, writes with encodings and callbacks, and an end',
    (_request, response) => {
      response.writeHead(200, 'Fine', ['x-app', 'a']);
      response.write('b25lIA==', 'base64', () => response.write(Buffer.from('two'), () => response.end()));
    },
  ],
  [
    'a stream',
    (_request, response) => {
      response.setHeader('x-app', 'a');
      Readable.from(['one', ' ', 'two']).pipe(response);
    },
  ],
  [
    'a flushed head, and the rest later',
    (_request, response) => {
      response.setHeader('x-app', 'a');
      response.flushHeaders();
      setImmediate(() => response.end('one two'));
    },
  ],
];

/** Hooks that leave the same answer. */
const HOOKS: readonly [string, PluginHooks][] = [
  ['no hook', { request: () => ({ responseHeaders: marked }) }],
  ['a sync response hook', { response: () => ({ headers: marked }) }],
  ['an async response hook', { response: async () => later().then(() => ({ headers: marked })) }],
  [
    'a response hook that reads the body',
    {
      response: async ({ response }) => {
        const body = text(await response.readBody(100));
        return { headers: body === 'one two' ? marked : [] };
      },
    },
  ],
  [
    'a response hook that reads less than the body',
    {
      response: async ({ response }) => {
        const body = text(await response.readBody(3));
        return { headers: body === 'undefined' ? marked : [] };
      },
    },
  ],
  [
    'sync stream hooks',
    { response: () => ({ headers: marked }), stream: (_exchange, { bytes }) => ({ bytes: new Uint8Array(bytes) }) },
  ],
  ['async hooks', { response: async () => later().then(() => ({ headers: marked })), stream: () => later() }],
];

describe.each(HOOKS)('an application behind createNodeMiddleware with %s', (_hooks, hooks) => {
  it.each(APPLICATIONS)('that writes %s, answers as it would alone', async (_name, application) => {
    await using server = await serve(hooks, application);
    const { status, body, headers, isCut } = await send(server);
    expect([status, body, headers['x-app'], headers['x-mark'], isCut]).toEqual([200, 'one two', 'a', 'yes', false]);
  });
});

describe('the response behind createNodeMiddleware', () => {
  it('takes status, fields and body from response hooks, and drops what the application writes', async () => {
    const hooks: PluginHooks = {
      response: () => ({ replaceStatus: 201, headers: [{ op: 'remove', name: 'x-app' }, ...marked], body: 'mine' }),
    };
    let isDone = false;
    await using server = await serve(hooks, (_request, response) => {
      response.writeHead(200, { 'x-app': 'a', 'content-length': '100' });
      response.write('x'.repeat(50), () => response.end('x'.repeat(50), () => (isDone = true)));
    });
    const { status, headers, body } = await send(server);
    expect([status, headers['x-app'], headers['content-length'], body]).toEqual([201, undefined, '4', 'mine']);
    expect(isDone).toBe(true);
  });

  it('keeps lists of fields, and the length that Node knows', async () => {
    await using server = await serve({ response: () => ({ headers: marked }) }, (_request, response) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.end('hello');
    });
    const { headers, rawHeaders } = await send(server);
    expect([headers['set-cookie'], headers['content-length']]).toEqual([['a=1', 'b=2'], '5']);
    expect(rawHeaders).toContain('Set-Cookie');
  });

  it('says while hooks run what it would say if its head were out', async () => {
    let said: unknown;
    await using server = await serve({ response: later }, (_request, response) => {
      const mayWrite = response.write('one');
      const blocked = response.writableNeedDrain;
      response.on('drain', () => {
        response.end('two');
        said = [mayWrite, blocked, response.headersSent, response.writableEnded, response.writableNeedDrain];
      });
    });
    expect((await send(server)).body).toBe('onetwo');
    expect(said).toEqual([false, true, true, true, false]);
  });

  it('lets an application write no faster than the client reads, stream hooks or not', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    for (const stream of [undefined, () => undefined, later]) {
      let written = 0;
      const source = Readable.from(
        (function* chunks() {
          for (; written < 1000; written += 1) yield chunk;
        })(),
        { objectMode: false },
      );
      await using server = await serve(stream === undefined ? {} : { stream }, (_request, response) => {
        void pipeline(source, response).catch(() => undefined);
      });
      const request = httpRequest({ port: server.port, host: '127.0.0.1', agent: false }).end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      // Nothing moves any more: what was written fits into the buffers between the two.
      let before = -1;
      await eventually(
        () => {
          const isStill = written === before && written > 0;
          before = written;
          return isStill;
        },
        { intervalMs: 200 },
      );
      expect(written).toBeLessThan(900);
      let received = 0;
      for await (const part of response) received += (part as Buffer).length;
      expect(received).toBe(1000 * chunk.length);
    }
  });

  it.each<[string, PluginHooks['request'], string]>([
    ['text', () => ({ status: 418, headers: ['x-own', 'o'], body: 'stop' }), 'stop'],
    ['a web Response', () => new Response('stop', { status: 418, headers: { 'x-own': 'o' } }), 'stop'],
    [
      'a web Response that streams',
      () =>
        new Response(Readable.toWeb(Readable.from(['st', 'op'].map(bytesOf))) as ReadableStream, {
          status: 418,
          headers: { 'x-own': 'o' },
        }),
      'stop',
    ],
    ['nothing', () => ({ status: 418, headers: ['x-own', 'o'] }), ''],
  ])(
    'is what a request hook answers with %s; response and stream hooks run, the application does not',
    async (_name, request, body) => {
      let calls = 0;
      const seen: string[] = [];
      const hooks: PluginHooks = {
        ...(request === undefined ? {} : { request }),
        response: () => ({ headers: marked }),
        stream: (_exchange, chunk) => void seen.push(text(chunk.bytes)),
      };
      await using server = await serve(hooks, () => void (calls += 1));
      const answer = await send(server);
      expect([answer.status, answer.headers['x-own'], answer.headers['x-mark'], answer.body]).toEqual([
        418,
        'o',
        'yes',
        body,
      ]);
      expect([calls, seen.join('')]).toEqual([0, body]);
    },
  );

  it.each<[string, string, number, string]>([
    ['HEAD', '/', 200, '7'],
    ['GET', '/204', 204, 'none'],
    ['GET', '/304', 304, 'none'],
  ])('to %s %s has no body and is not cut (%i)', async (method, path, status, length) => {
    for (const hooks of [{}, { response: later }, { response: () => ({ headers: marked }) }]) {
      await using server = await serve(hooks, (request, response) => {
        if (request.url === '/') response.setHeader('content-length', '7').end('one two');
        else response.writeHead(Number(request.url?.slice(1))).end();
      });
      const answer = await send(server, { method, path });
      const said = answer.headers['content-length'] ?? 'none';
      expect([answer.status, answer.body, said, answer.isCut]).toEqual([status, '', length, false]);
    }
  });

  it.each(['HEAD', 'GET'])('to %s calls no stream hook where there is no body', async (method) => {
    let calls = 0;
    await using server = await serve({ stream: () => void (calls += 1) }, (_request, response) => {
      response.writeHead(method === 'GET' ? 204 : 200).end();
    });
    expect([(await send(server, { method })).body, calls]).toEqual(['', 0]);
  });

  it('loses its length when a hook makes a 204 of it', async () => {
    await using server = await serve({ response: () => ({ replaceStatus: 204 }) }, (_request, response) => {
      response.setHeader('content-length', '3').end('one');
    });
    const { status, headers, body } = await send(server);
    expect([status, headers['content-length'], body]).toEqual([204, undefined, '']);
  });

  it.each<[string, PluginHooks['stream']]>([
    ['sync', (_exchange, { bytes, last }) => ({ bytes: bytesOf(`${text(bytes).toUpperCase()}${last ? '!' : ''}`) })],
    [
      'async',
      async (_exchange, { bytes, last }) =>
        later().then(() => ({ bytes: bytesOf(`${text(bytes).toUpperCase()}${last ? '!' : ''}`) })),
    ],
  ])('is of another length behind %s stream hooks', async (_name, stream) => {
    await using server = await serve({ ...(stream === undefined ? {} : { stream }) }, (_request, response) => {
      response.setHeader('content-length', '7');
      response.write('one ');
      response.write('two');
      response.end();
    });
    const { headers, body } = await send(server);
    expect([body, headers['content-length']]).toEqual(['ONE TWO!', undefined]);
  });

  it('is cut when a stream hook says so', async () => {
    const hooks: PluginHooks = { stream: (_exchange, { index }) => (index === 1 ? { cut: 'enough' } : undefined) };
    await using server = await serve(hooks, (_request, response) => {
      response.write('one', () => response.write('two', () => response.end('three')));
    });
    const { body, isCut } = await send(server);
    expect([body, isCut]).toEqual(['one', true]);
  });

  it.each<[string, Application, PluginHooks, number, string]>([
    [
      'the application throws',
      () => {
        throw new Error('secret');
      },
      {},
      502,
      'upstream_failed',
    ],
    ['its promise rejects', () => later().then(() => Promise.reject(new Error('secret'))), {}, 502, 'upstream_failed'],
    [
      'a request hook fails',
      () => undefined,
      {
        request: () => {
          throw new Error('secret');
        },
      },
      503,
      'plugin_failed',
    ],
    [
      'a response hook fails',
      (_request, response) => void response.writeHead(200, { 'content-length': '3', 'x-app': 'a' }).end('one'),
      {
        response: async () => {
          await later();
          throw new Error('secret');
        },
      },
      503,
      'plugin_failed',
    ],
  ])('is a problem when %s, through the error hooks', async (_name, application, hooks, status, code) => {
    const logged: string[] = [];
    const error: PluginHooks['error'] = async ({ failure }) => {
      await later();
      return { headers: [{ op: 'set', name: 'x-code', value: failure.code }] };
    };
    const note = (message: string) => void logged.push(message);
    const log = { warn: note, error: note };
    await using server = await serve({ ...hooks, error }, application, { category: 'authentication', log });
    const { headers, body, ...answer } = await send(server);
    expect([answer.status, headers['x-code'], headers['content-type'], headers['x-app']]).toEqual([
      status,
      code,
      'application/problem+json',
      undefined,
    ]);
    expect(JSON.parse(body)).toMatchObject({ status, code });
    expect([body.includes('secret'), logged.length]).toEqual([false, 1]);
  });

  it('is cut when the application fails after it began to answer, and stays whole when it had ended', async () => {
    await using server = await serve({}, (request, response) => {
      if (request.url === '/ended') response.end('whole');
      else response.write('part');
      return later().then(() => Promise.reject(new Error('late')));
    });
    expect(await send(server)).toMatchObject({ body: 'part', isCut: true });
    expect(await send(server, { path: '/ended' })).toMatchObject({ body: 'whole', isCut: false });
  });

  it('tells a waiting response hook that the client left', async () => {
    let isTold = false;
    let entered = (): void => undefined;
    const isWaiting = new Promise<void>((resolve) => (entered = resolve));
    const hooks: PluginHooks = {
      response: (exchange) => {
        const signal = exchange.signal();
        entered();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(void (isTold = true))));
      },
    };
    await using server = await serve(hooks, (_request, response) => void response.end('x'));
    const request = httpRequest({ port: server.port, host: '127.0.0.1', agent: false }).end();
    request.on('error', () => undefined);
    await isWaiting;
    request.destroy();
    await eventually(() => isTold);
    expect(isTold).toBe(true);
  });

  it('leaves mistakes of the application to Node', async () => {
    await using server = await serve({}, (_request, response) => {
      const mistakes = [
        () => response.writeHead(1000),
        () => response.write(1),
        () => response.writeHead(200, { 'x-a': 'a\nb' }),
      ].map((mistake) => {
        try {
          mistake();
          return 'none';
        } catch (error) {
          return (error as NodeJS.ErrnoException).code;
        }
      });
      response.end(mistakes.join());
    });
    const { body, status } = await send(server);
    expect([status, body]).toEqual([200, 'ERR_HTTP_INVALID_STATUS_CODE,ERR_INVALID_ARG_TYPE,ERR_INVALID_CHAR']);
  });
});
