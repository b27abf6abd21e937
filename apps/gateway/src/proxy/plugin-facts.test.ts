import { definePlugin } from '@portcullis/plugin-runtime';
import { startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

describe('what a peer says of who the client is', () => {
  it.each([
    ['a trusted one', '127.0.0.0/8', ['alice'], ['gold']],
    ['any other', '192.0.2.0/24', [], []],
  ])('of %s plugins are told what is so, and the service nothing', async (_, trusted, ids, groups) => {
    const seen: unknown[] = [];
    const plugin = definePlugin({
      name: 'test_claims',
      version: '1.0.0',
      category: 'transformation',
      triggers: ['all'],
      config: v.object({}),
      setup: () => ({
        request({ request }) {
          seen.push(request.claimsOfPeer('X-Consumer-ID'), request.claimsOfPeer('x-consumer-groups'));
          seen.push(request.headers.has('x-consumer-id'), request.claimsOfPeer('authorization'));
        },
      }),
    });
    await using upstream = await startUpstream();
    const plugins = [{ id: 'p', name: 'test_claims', trigger: 'all', config: {} }];
    const settings = { PORTCULLIS_TRUSTED_PROXIES: trusted };
    const resources = { ...everythingTo(upstream.url), plugins };
    await using gateway = await startTestGateway(resources, settings, {}, { plugins: [plugin] });
    const headers = { 'X-Consumer-ID': 'alice', 'X-Consumer-Groups': 'gold', Authorization: 'Bearer any' };
    expect((await fetch(gateway.url, { headers })).status).toBe(200);
    expect(seen).toEqual([ids, groups, false, []]);
    expect(upstream.requests[0]?.headers).not.toHaveProperty('x-consumer-id');
  });
});

describe('the facts of a request', () => {
  it('are what the configuration says, also after a plugin tried to change them', async () => {
    const seen: unknown[] = [];
    const copies: unknown[] = [];
    const plugin = definePlugin({
      name: 'test_facts',
      version: '1.0.0',
      category: 'transformation',
      triggers: ['all'],
      config: v.object({}),
      setup: () => ({
        request({ facts }) {
          seen.push([facts.tenantId, facts.service?.name, facts.route?.name]);
          seen.push(Reflect.defineProperty(facts, 'tenantId', { value: 'evil' }));
          copies.push({ ...facts }, JSON.parse(JSON.stringify(facts)));
          for (const part of [facts, facts.service, facts.route, facts.gateway]) {
            for (const name of ['id', 'name', 'tenantId']) {
              if (part !== undefined && name in part) seen.push(Reflect.set(part, name, 'evil'));
            }
          }
        },
      }),
    });
    await using upstream = await startUpstream();
    const plugins = [{ id: 'p', name: 'test_facts', trigger: 'all', config: {} }];
    const resources = { ...everythingTo(upstream.url), plugins };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins: [plugin] });
    await (await fetch(gateway.url)).text();
    const first = seen.splice(0);
    await (await fetch(gateway.url)).text();
    expect(seen).toEqual(first);
    expect(first.slice(1)).toEqual(first.slice(1).map(() => false));
    expect(first.length).toBeGreaterThan(4);
    expect(copies).toHaveLength(4);
    for (const copy of copies) {
      expect(copy, 'a plugin may write the facts down').toMatchObject({
        requestId: expect.stringMatching(/./) as unknown,
        gateway: { id: expect.any(String) as unknown },
        route: { id: 'route-1' },
      });
    }
  });
});
