import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

/** Requests of the public API that the sample describes, and the route each must take. */
const requests: readonly (readonly [string, string])[] = [
  ['GET', '/emojis'],
  ['GET', '/repos/octocat/hello-world'],
  ['GET', '/repos/octocat/hello-world/issues'],
  ['GET', '/repos/octocat/hello-world/issues/42'],
  ['GET', '/repos/octocat/hello-world/issues/42/comments'],
  ['GET', '/users/octocat'],
  ['GET', '/users/octocat/repos'],
  ['PATCH', '/user'],
];

describe('the sample made from a large public API description', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack();
    await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Default', slug: 'default' });
    const token = await stack.admin.call('POST', '/api/v1/admin/api-tokens', {
      name: 'e2e',
      scopes: ['admin:read', 'admin:write'],
    });
    const login = await stack.gwctl(
      '--api-url',
      stack.adminUrl,
      '--token',
      token.body.token,
      'login',
      '--tenant-id',
      'default',
    );
    expect(login.code, login.stderr).toBe(0);
    const file = stack.folder.join('bundle.yaml');
    const sample = await readFile(new URL('../examples/github/bundle.yaml', import.meta.url), 'utf8');
    await writeFile(file, sample.replaceAll('http://127.0.0.1:8002', stack.upstream.url));
    const applied = await stack.gwctl('-o', 'json', 'sync', file, '--apply');
    expect(applied.code, applied.stderr).toBe(0);
    expect(JSON.parse(applied.stdout).counts.created).toBeGreaterThan(500);
    const gateway = await stack.admin.call('GET', '/api/v1/admin/gateways/github?tenant_id=default');
    const node = await stack.admin.call('POST', '/api/v1/admin/data-planes', {
      tenant_id: 'default',
      gateway_id: gateway.body.id,
      name: 'node-1',
    });
    await stack.startGateway(node.body.token);
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  it.each(requests)('%s %s reaches the upstream under its own path', async (method, path) => {
    stack.upstream.requests.length = 0;
    const answer = await fetch(stack.gatewayUrl + path, { method });
    expect(answer.status).toBe(200);
    expect(stack.upstream.requests).toHaveLength(1);
    expect(stack.upstream.requests[0]).toMatchObject({ method, url: path });
  });

  it.each([
    ['GET', '/repos/octocat'],
    ['GET', '/no/such/path/in/the/description'],
    ['DELETE', '/emojis'],
  ])('%s %s matches no route', async (method, path) => {
    const answer = await fetch(stack.gatewayUrl + path, { method });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ detail: 'no route matched' });
  });
});
