import { createNodeMiddleware } from '@portcullis/plugin-runtime/node';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bodyTransformer } from '../body_transformer/index.ts';
import { maskingTransform } from '../masking_transform/index.ts';
import { requestTransformer } from '../request_transformer/index.ts';
import { responseTransformer } from '../response_transformer/index.ts';
import { jsonTransform } from './index.ts';

const builtIns = [jsonTransform, maskingTransform, bodyTransformer, requestTransformer, responseTransformer];

const inline = [
  { name: 'request_transformer', priority: 60, config: { add_json_fields: { at: 'edge' } } },
  { name: 'body_transformer', priority: 50, config: { remove_fields: ['debug'] } },
  { name: 'json_transform', priority: 40, config: { rename: { 'user.mail': 'email' }, target: 'request' } },
  { name: 'masking_transform', priority: 30, config: { response_json_paths: ['$..secret'] } },
  { name: 'response_transformer', priority: 20, config: { add_json_fields: { version: 2 } } },
];

type Application = (body: Buffer, request: IncomingMessage, response: ServerResponse) => void;

/** An application on a real socket behind a chain of the plugins that change JSON. */
async function serve(application: Application, chain = inline) {
  const plugins = createNodeMiddleware({ plugins: builtIns.map(({ plugin }) => plugin), inline: chain });
  const server = createServer((request, response) => {
    plugins(request, response, async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      application(Buffer.concat(chunks), request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await plugins.close();
    },
  };
}

async function ask(
  port: number,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Buffer | string,
) {
  const request = httpRequest({ port, host: '127.0.0.1', method, agent: false, headers });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('plugins that change JSON, on real connections', () => {
  it('change what arrives and what is answered, coded as it was', async () => {
    await using server = await serve((body, { headers }, response) => {
      const said = { length: headers['content-length'], coding: headers['content-encoding'] };
      const seen = gunzipSync(body).toString();
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'br', digest: 'x=y' });
      // In two pieces, with no length.
      const coded = brotliCompressSync(`{"seen":${seen},"fits":${Number(said.length) === body.length},"secret":[1]}`);
      response.write(coded.subarray(0, 5));
      response.end(coded.subarray(5));
    });
    const sent = gzipSync('{"id":12345678901234567890,"debug":true,"user":{"mail":"a@b.test"}}');
    const { status, headers, body } = await ask(
      server.port,
      'POST',
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      sent,
    );
    expect([status, headers['content-encoding'], headers['content-length'], headers['digest']]).toEqual([
      ...[200, 'br', String(body.length), undefined],
    ]);
    expect(brotliDecompressSync(body).toString()).toBe(
      '{"seen":{"id":12345678901234567890,"user":{"email":"a@b.test"},"at":"edge"},"fits":true,"secret":"***","version":2}',
    );
  });

  it('let streams through while they are made, when none of them masks', async () => {
    const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
    const stream: Application = (_body, _request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"secret":1}\n\n');
      void isSeen.then(() => response.end('data: end\n\n'));
    };
    await using masked = await serve(stream);
    const refused = await ask(masked.port, 'GET');
    expect([refused.status, refused.body.includes('secret')]).toEqual([502, false]);
    await using server = await serve(
      stream,
      inline.filter(({ name }) => name !== 'masking_transform'),
    );
    const request = httpRequest({ port: server.port, host: '127.0.0.1', agent: false }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // The first event arrives before the answer ends: the application waits for that.
    const [first] = (await once(response, 'data')) as [Buffer];
    see();
    await once(response, 'end');
    expect(first.toString()).toBe('data: {"secret":1}\n\n');
  });

  it('answer HEAD without a length that would be wrong, and refuse what cannot be masked', async () => {
    await using server = await serve((_body, { method }, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '13' });
      response.end(method === 'HEAD' ? undefined : '{"secret": 1,');
    });
    const head = await ask(server.port, 'HEAD');
    expect([head.status, head.headers['content-length']]).toEqual([200, undefined]);
    const get = await ask(server.port, 'GET');
    expect([get.status, get.headers['content-type']]).toEqual([502, 'application/problem+json']);
    expect(get.body.toString()).not.toContain('secret');
  });
});
