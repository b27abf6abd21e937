import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGzip, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { PluginHooks } from '../index.ts';
import { createNodeMiddleware } from '../node.ts';
import { pluginOf } from '../testing/fixtures.ts';
import { listen, sendForBytes, type Application } from './node-server.test-support.ts';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
/** How a middleware finds out that nobody has written the head yet, and has it written. */
type HeadStyle = 'headersSent' | '_implicitHeader';

/** Compresses what is written, by taking the place of the response's methods as the middleware of Express do. */
function gzipping(style: HeadStyle): Middleware {
  return (_request, response, next) => {
    const [write, end, writeHead] = [response.write, response.end, response.writeHead];
    let gzip: ReturnType<typeof createGzip> | undefined;
    let isDecided = false;
    const needHead = (): void => {
      const inner = response as ServerResponse & { readonly _header: string | null; _implicitHeader(): void };
      if (style === '_implicitHeader') {
        if (inner._header === null) inner._implicitHeader();
      } else if (!response.headersSent) response.writeHead(response.statusCode);
    };
    response.writeHead = ((...head: unknown[]) => {
      if (!isDecided) {
        isDecided = true;
        response.setHeader('content-encoding', 'gzip');
        response.removeHeader('content-length');
        gzip = createGzip();
        gzip.on('data', (chunk: Buffer) => void write.call(response, chunk, 'utf8'));
        gzip.on('end', () => void end.call(response, undefined, 'utf8'));
      }
      return Reflect.apply(writeHead, response, head) as unknown;
    }) as typeof response.writeHead;
    response.write = ((chunk: string | Buffer) => {
      needHead();
      return gzip === undefined ? write.call(response, chunk, 'utf8') : gzip.write(chunk);
    }) as typeof response.write;
    response.end = ((chunk?: string | Buffer) => {
      needHead();
      if (gzip === undefined) end.call(response, chunk, 'utf8');
      else gzip.end(chunk);
      return response;
    }) as typeof response.end;
    next();
  };
}

const later = () => new Promise<void>((resolve) => setImmediate(resolve));
const marked = { headers: [{ op: 'set', name: 'x-mark', value: 'yes' }] } as const;
const HOOKS: readonly [string, PluginHooks][] = [
  ['sync', { response: () => marked }],
  ['async', { response: async () => later().then(() => marked) }],
];
const APPLICATIONS: readonly [string, Application][] = [
  ['one end', (_request, response) => void response.end('one two')],
  [
    'two writes and an end',
    (_request, response) => {
      response.write('one ');
      response.write('tw');
      response.end('o');
    },
  ],
  ['a head and an end', (_request, response) => void response.writeHead(200, { 'x-app': 'a' }).end('one two')],
];

describe.each(HOOKS)('with %s response hooks, a middleware that compresses', (_kind, hooks) => {
  describe.each<HeadStyle>(['headersSent', '_implicitHeader'])('and asks for the head by %s', (style) => {
    const plugin = pluginOf('subject', () => hooks, { triggers: ['all'] });
    const plugins = createNodeMiddleware({ plugins: [plugin], inline: [{ name: 'subject' }] });
    const gzip = gzipping(style);
    const places: readonly [string, readonly [Middleware, Middleware]][] = [
      ['before', [gzip, plugins]],
      ['behind', [plugins, gzip]],
    ];
    describe.each(places)('works %s the plugins', (_place, [first, second]) => {
      it.each(APPLICATIONS)('of an application that writes %s', async (_name, application) => {
        await using server = await listen((request, response) => {
          first(request, response, () => second(request, response, () => void application(request, response)));
        });
        const { headers, body } = await sendForBytes(server);
        expect([headers['content-encoding'], headers['x-mark']]).toEqual(['gzip', 'yes']);
        expect(gunzipSync(body).toString()).toBe('one two');
      });
    });
  });
});
