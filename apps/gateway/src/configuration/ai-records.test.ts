import { definePlugin, type AiRecord } from '@portcullis/plugin-runtime';
import { startUpstream } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Resources } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

/** A plugin that tells the test what AI records each request sees. */
function watching(): { readonly plugin: ReturnType<typeof definePlugin>; readonly seen: (readonly AiRecord[])[] } {
  const seen: (readonly AiRecord[])[] = [];
  const plugin = definePlugin({
    name: 'test_ai_records',
    version: '1.0.0',
    category: 'ai',
    triggers: ['before_request'],
    config: v.object({}),
    setup: () => ({ request: ({ aiRecords }) => void seen.push(aiRecords) }),
  });
  return { plugin, seen };
}

const record = (id: string, more: object = {}) => ({
  id,
  kind: 'model_route',
  name: `of-${id}`,
  config: { model: 'm', targets: [{ provider: 'p', params: { top_p: 1 } }] },
  created_at_ms: 1,
  ...more,
});

describe('AI records of a gateway', () => {
  it('reach plugins, and are one list until one of them changes', async () => {
    const { plugin, seen } = watching();
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    const resources = (aiRecords: readonly Record<string, unknown>[], more: Resources = {}): Resources => ({
      ...everythingTo(upstream.url),
      plugins: [{ id: 'p1', name: 'test_ai_records', trigger: 'before_request', config: {} }],
      ai_records: aiRecords,
      ...more,
    });
    await using gateway = await startTestGateway(resources([]), {}, {}, { plugins: [plugin] });
    const ask = async (next?: Resources): Promise<readonly AiRecord[]> => {
      if (next !== undefined) await gateway.publish(next);
      expect((await fetch(gateway.url)).status).toBe(200);
      return seen.at(-1) ?? [];
    };
    expect(await ask()).toEqual([]);
    const both = [record('r2'), record('r1'), record('r0', { enabled: false })];
    const first = await ask(resources(both));
    const config = { model: 'm', targets: [{ provider: 'p', params: { top_p: 1 } }] };
    expect(first).toEqual([
      { id: 'r1', kind: 'model_route', name: 'of-r1', config },
      { id: 'r2', kind: 'model_route', name: 'of-r2', config },
    ]);
    expect(() => Object.assign(first[0]?.config['targets'] as object, { 0: 'mine' })).toThrow(TypeError);
    expect(await ask(resources(both, { consumers: [{ id: 'c1' }] }))).toBe(first);
    // A mistake makes the gateway build everything anew.
    await gateway.publish(resources(both, { services: [{ id: 's', name: 's', url: 'nowhere' }] }));
    expect(gateway.controlPlane.acks.at(-1)?.status).toBe('rejected');
    expect(await ask(resources(both))).toBe(first);
    const second = await ask(resources([record('r2', { name: 'other' }), record('r1')]));
    expect(second.map(({ name }) => name)).toEqual(['of-r1', 'other']);
    expect(second).not.toBe(first);
    expect(await ask(resources([record('r1', { enabled: false })]))).toEqual([]);
  });

  it('of a kind that the gateway does not know are left out and told of, and the rest is served', async () => {
    const { plugin, seen } = watching();
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    const plugins = [{ id: 'p1', name: 'test_ai_records', trigger: 'before_request', config: {} }];
    const aiRecords = [record('r1', { kind: 'of-tomorrow' }), record('r2')];
    const resources = { ...everythingTo(upstream.url), plugins, ai_records: aiRecords };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins: [plugin] });
    expect((await fetch(gateway.url)).status).toBe(200);
    expect(seen.at(-1)?.map(({ id }) => id)).toEqual(['r2']);
    expect(gateway.controlPlane.acks).toMatchObject([
      { status: 'applied', errors: [{ pointer: expect.stringMatching(/^\/resources\/ai_records\/r1/) as unknown }] },
    ]);
  });
});
