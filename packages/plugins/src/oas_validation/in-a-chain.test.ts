import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createFetchHandler } from '@portcullis/plugin-runtime/fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templateTransform } from '../template_transform/index.ts';
import { xmlTransform } from '../xml_transform/index.ts';
import { oasValidation } from './index.ts';
import { shop } from './testdata/shop.ts';

/** A service that answers each pet with an `id`, but for one that has none, and says what it was asked in XML. */
const service = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    if (req.url === '/echo') return void res.setHeader('content-type', 'text/xml').end(Buffer.concat(chunks));
    const pet = req.url === '/v1/pets/8' ? { name: 'Rex' } : { id: 7, name: 'Rex', kind: 'dog' };
    res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-rate': '5' });
    res.end(gzipSync(JSON.stringify(pet)));
  });
});

let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => void service.close());

function handlerOf(inline: readonly { readonly name: string; readonly config: object }[]) {
  return createFetchHandler({
    plugins: [oasValidation.plugin, xmlTransform.plugin, templateTransform.plugin],
    inline: inline.map((entry) => ({ ...entry, trigger: 'both' as const })),
    upstream: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === 'GET' ? null : await request.arrayBuffer();
      const answer = await fetch(`${origin}${pathname}${search}`, { method, headers, body });
      // The platform's client decodes what it gives, and leaves the header as it was.
      const plain = new Headers(answer.headers);
      plain.delete('content-encoding');
      plain.delete('content-length');
      return new Response(answer.body, { status: answer.status, headers: plain });
    },
  });
}

describe('oas_validation in a chain, before a service', () => {
  const handle = handlerOf([{ name: 'oas_validation', config: { spec: shop } }]);
  const send = (path: string, init?: RequestInit) => handle(new Request(`http://api.test${path}`, init));

  it('lets pass what is described, both ways', async () => {
    const answer = await send('/v1/pets/7');
    expect([answer.status, await answer.json()]).toEqual([200, { id: 7, name: 'Rex', kind: 'dog' }]);
  });

  it('refuses a request, and an answer', async () => {
    const answers = [await send('/v1/pets/x'), await send('/v1/pets/8')];
    expect(answers.map(({ status }) => status)).toEqual([400, 502]);
    expect(await answers[1]?.json()).toMatchObject({ code: 'upstream_contract_violation' });
  });

  it('reads a body that it lets pass, which arrives whole', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await send('/echo', { method: 'POST', body: '<a/>', headers });
    expect(await answer.text()).toBe('<a/>');
  });
});

describe('templates and XML in a chain', () => {
  it('make a document of JSON, and edit what comes back', async () => {
    const handle = handlerOf([
      {
        name: 'template_transform',
        config: { template: '<order><id>{{body.id}}</id></order>', target: 'request' },
      },
      { name: 'xml_transform', config: { set: { '/order/@seen': true }, target: 'response' } },
    ]);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ id: '<7>' });
    const answer = await handle(new Request('http://api.test/echo', { method: 'POST', body, headers }));
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
      'text/xml',
      '<order seen="true"><id>&lt;7&gt;</id></order>',
    ]);
  });
});
