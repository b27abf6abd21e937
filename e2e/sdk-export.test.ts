import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { startUpstream, type Upstream } from '@portcullis/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ProtectedRoutes, startProtectedRoutes } from './support/protected-routes.ts';
import { linesOfSdkProgram, sdkPrograms } from './support/sdk-programs.ts';

const key = 'a-key-of-the-pet-shop';
const run = promisify(execFile);

/** The description of the pet shop that stands behind the gateway. */
const petstore = {
  openapi: '3.1.0',
  info: { title: 'Pet store', version: '1.2.0' },
  servers: [{ url: '/petstore' }],
  security: [{ key: [] }],
  paths: {
    '/pets': {
      post: {
        operationId: 'createPet',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: {
          201: {
            description: 'Made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
        },
      },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: { description: 'It', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'string' }, name: { type: 'string' }, kind: { enum: ['dog', 'cat'] } },
      },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
  },
};

let routes: ProtectedRoutes;
let shop: Upstream;
const made: Record<string, string> = {};

beforeAll(async () => {
  const pets = new Map<string, string>();
  shop = await startUpstream((_req, res, { method, url, body }) => {
    const pet = method === 'POST' ? body.toString() : pets.get(decodeURIComponent(url.split('/').at(-1) ?? ''));
    if (method === 'POST') pets.set((JSON.parse(body.toString()) as { id: string }).id, body.toString());
    res.writeHead(pet === undefined ? 404 : method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    res.end(pet ?? '{"message": "no such pet"}');
  });
  routes = await startProtectedRoutes();
  const { stack, admin, protect, until } = routes;
  await admin('PATCH', '/gateways/edge', { proxy_url: stack.gatewayUrl });
  await admin('POST', '/gateways/edge/services', { id: 'shop', name: 'shop', url: shop.url });
  await protect('petstore', 'api_key_auth', { valid_keys: [key] }, 'shop');
  await until(401, '/petstore/pets/none');
  await admin('POST', '/gateways/edge/services/shop/versions', { version: '1.2', spec: petstore });
});
afterAll(async () => {
  await routes[Symbol.asyncDispose]();
  await shop.close();
});

it('gwctl exports a library for every target, whole and the same again', async () => {
  const { folder, adminUrl, gwctl, admin } = routes.stack;
  for (const { target } of sdkPrograms) {
    mkdirSync(folder.join(target));
    const place = ['--gateway-id', 'edge', '--service-id', 'shop', '--version-id', '1.2', '--tenant-id', 'default'];
    const args = ['--api-url', adminUrl, '--token', admin.token ?? '', 'sdk', 'export', ...place, '--target', target];
    const done = await gwctl(...args, '--output', folder.join(target), '-o', 'json');
    expect(done.code, done.stderr).toBe(0);
    const written = JSON.parse(done.stdout) as Record<string, string>;
    const file = (made[target] = written['file'] ?? '');
    const bytes = readFileSync(file);
    expect(written['checksum_sha256']).toBe(createHash('sha256').update(bytes).digest('hex'));
    await run('python3', ['-m', 'zipfile', '-e', file, folder.join(target)]);
    expect(readdirSync(folder.join(target))).toHaveLength(2);
  }
});

/** The folder that a library was unpacked to. */
const libraryOf = (target: string): string => (made[target] ?? '').replace(/\.zip$/, '');

for (const program of sdkPrograms) {
  it.skipIf(!program.isThere())(
    `the ${program.target} library calls through the gateway, and tells what it refuses (needs ${program.needs})`,
    async () => {
      const lines = await linesOfSdkProgram(program, libraryOf(program.target), key);
      expect(lines).toEqual(['Rex rex 1', '404', '401']);
    },
  );
}
