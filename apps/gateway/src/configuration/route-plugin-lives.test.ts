import { definePlugin, type Plugin } from '@portcullis/plugin-runtime';
import type { DeliveredRecord } from '@portcullis/resources';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { deltaText, publishedOf } from '../testing/delta-text.test-support.ts';
import { manager, textOf, type Tables } from './configuration-manager.test-support.ts';

/** A plugin that tells when its instances come and go, with one that cannot be set up. */
function livelyPlugins(): { readonly plugins: readonly Plugin[]; readonly lives: string[] } {
  const lives: string[] = [];
  const lively = definePlugin({
    name: 'lively',
    version: '1.0.0',
    category: 'transformation',
    triggers: ['before_request'],
    config: v.object({ n: v.optional(v.number(), 0) }),
    setup: ({ n }, { instance }) => {
      lives.push(`${instance.id} ${n} begins`);
      return { request: () => undefined, dispose: () => void lives.push(`${instance.id} ${n} ends`) };
    },
  });
  const broken = definePlugin({
    name: 'broken',
    version: '1.0.0',
    category: 'transformation',
    triggers: ['before_request'],
    config: v.object({}),
    setup: () => {
      throw new Error('cannot be set up');
    },
  });
  return { plugins: [lively, broken], lives };
}

function tablesOf(): Tables {
  const route = (id: string): [string, DeliveredRecord] => [
    id,
    { id, name: id, service_id: 's', paths: [`/${id}`], plugins: [lively(1), lively(2)] },
  ];
  return {
    services: new Map([['s', { id: 's', name: 's', url: 'http://10.0.0.1' }]]),
    routes: new Map([route('a'), route('b')]),
    upstreams: new Map(),
    targets: new Map(),
    plugins: new Map(),
  };
}

const lively = (n: number) => ({ name: 'lively', config: { n } });

/** A manager that takes what the tables say as deltas. */
function followed() {
  const { plugins, lives } = livelyPlugins();
  const own = manager({ plugins });
  const tables = tablesOf();
  let revision = 0;
  let served: string | undefined;
  const publish = async (): Promise<string | undefined> => {
    revision += 1;
    const { text } = textOf(revision, tables);
    const [from, to] = [publishedOf(served ?? ''), publishedOf(text)];
    await own.take(from === undefined || to === undefined ? text : deltaText(from, to));
    const status = own.acks.at(-1)?.status;
    if (status === 'applied') served = text;
    return status;
  };
  const edit = (id: string, fields: object): void => {
    tables.routes.set(id, { ...tables.routes.get(id), ...fields, id });
  };
  const running = (): number => own.live.current?.runtime.status().length ?? 0;
  return { ...own, tables, lives, publish, edit, running };
}

describe("a route's own plugins", () => {
  it('are disposed when a change replaces or removes them, and go on when it does not', async () => {
    const { live, lives, tables, publish, edit, running, stop } = followed();
    expect(await publish()).toBe('applied');
    expect(lives.splice(0)).toHaveLength(4);
    const { runtime } = live.current ?? {};
    edit('a', { plugins: [lively(1), lively(3)] });
    await publish();
    expect(lives.splice(0)).toEqual(['a/lively#2 3 begins', 'a/lively#2 2 ends']);
    for (let n = 0; n < 300; n += 1) {
      edit('a', { plugins: [lively(1), lively(n + 4)] });
      await publish();
    }
    // All of it in one runtime, which holds what is used and nothing else.
    expect([live.current?.runtime === runtime, running(), lives.length]).toEqual([true, 4, 600]);
    lives.splice(0);
    edit('a', { paths: ['/elsewhere'] });
    tables.services.set('s', { id: 's', name: 's', url: 'http://10.0.0.2' });
    await publish();
    expect(lives).toEqual([]);
    tables.routes.delete('b');
    await publish();
    expect(lives.splice(0).toSorted()).toEqual(['b/lively 1 ends', 'b/lively#2 2 ends']);
    edit('a', { enabled: false });
    tables.routes.set('c', { id: 'c', name: 'c', service_id: 's' });
    await publish();
    expect([lives.length, running()]).toEqual([2, 0]);
    stop();
  });

  it('live until the last request is over that began with them', async () => {
    const { live, lives, publish, edit, stop } = followed();
    await publish();
    const first = live.current;
    first?.hold();
    lives.splice(0);
    edit('a', { plugins: [] });
    await publish();
    edit('b', { plugins: [] });
    await publish();
    expect(lives).toEqual([]);
    first?.release();
    expect(lives.splice(0)).toHaveLength(4);
    stop();
  });

  it('of a configuration that is refused are disposed, and those that serve are not', async () => {
    const { lives, publish, edit, running, stop } = followed();
    await publish();
    lives.splice(0);
    edit('a', { plugins: [lively(1), lively(9), { name: 'broken', config: {} }] });
    edit('b', { plugins: [lively(1), lively(8)] });
    expect(await publish()).toBe('rejected');
    const [begun, ended] = ['begins', 'ends'].map((end) => lives.filter((life) => life.endsWith(end)).length);
    expect([begun, running()]).toEqual([ended, 4]);
    expect(lives.filter((life) => / [12] /.test(life))).toEqual([]);
    lives.splice(0);
    edit('a', { plugins: [lively(1), lively(2)] });
    edit('b', { plugins: [lively(1), lively(7)] });
    expect(await publish()).toBe('applied');
    expect(lives.splice(0).toSorted()).toEqual(['b/lively#2 2 ends', 'b/lively#2 7 begins']);
    stop();
  });

  it('go on when the collection changes', async () => {
    const { lives, tables, publish, running, stop } = followed();
    await publish();
    lives.splice(0);
    tables.plugins.set('p', { id: 'p', name: 'lively', config: { n: 5 } });
    await publish();
    expect([lives.splice(0), running()]).toEqual([['p 5 begins'], 5]);
    tables.plugins.clear();
    await publish();
    expect([lives.splice(0), running()]).toEqual([['p 5 ends'], 4]);
    stop();
  });
});
