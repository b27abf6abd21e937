import { describe, expect, it } from 'vitest';
import { explainChain, pluginsByName } from './index.ts';
import { gateway, tracer } from './testing/fixtures.ts';

const target = { gateway, route: { id: 'r1', name: 'r1' } };

describe('explain, of records that no runtime takes', () => {
  it.each<[string, unknown, string]>([
    ['a trigger', { trigger: 'bogus' }, 'cannot run: trigger is no trigger'],
    ['a scope', { scope: 'bogus' }, 'cannot run: scope is no scope'],
    ['a selector', { scope: 'route' }, 'cannot run: route_id scope route needs route_id or route_name'],
  ])('leaves out those with %s that there is not', (_what, fields, reason) => {
    const instances = [{ id: 'a', name: 'alpha', ...(fields as object) }];
    const found = explainChain({ plugins: pluginsByName([tracer('alpha')]), instances, inline: [] }, target);
    expect(found).toMatchObject([{ included: false, reason }]);
  });

  it('leaves out inline entries with a scope or another stage, and what is no record at all', () => {
    const inline = [null, { name: 'alpha', stage: 'bogus' }, { name: 'alpha', consumer_group: 'gold' }] as never[];
    const found = explainChain({ plugins: pluginsByName([tracer('alpha')]), instances: [], inline }, target);
    expect(found.map(({ name, included }) => [name, included])).toEqual([
      ['', false],
      ['alpha', false],
      ['alpha', false],
    ]);
  });
});
