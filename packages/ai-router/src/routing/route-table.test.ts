import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesModel } from './model-pattern.ts';
import { readModelRoute } from './read-route.ts';
import type { ModelRoute } from './route.ts';
import { RouteTable } from './route-table.ts';

const targets = [{ provider: 'p', model: 'm' }];
const route = (model: string, id: string, aliases: string[] = []): ModelRoute =>
  readModelRoute('unnamed', { model, aliases, targets }, id);
const name = fc.oneof(
  fc.stringMatching(/^[ab]{1,4}$/),
  fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'toString'),
);
const pattern = fc.oneof(name, fc.stringMatching(/^[ab]{0,3}\*$/), fc.constant('__proto__*'));

it('an exact name goes before the longest beginning, and all before *', () => {
  const table = new RouteTable([
    route('*', 'all'),
    route('gpt-*', 'gpt'),
    route('gpt-4*', 'gpt4'),
    route('gpt-4o', 'exact', ['best']),
  ]);
  const found = ['gpt-4o', 'best', 'gpt-4o-mini', 'gpt-3', 'gpt-', 'claude', 'gpt'].map(
    (model) => table.find(model)?.id,
  );
  expect(found).toEqual(['exact', 'exact', 'gpt4', 'gpt', 'gpt', 'all', 'all']);
  expect(table.models()).toEqual(['gpt-4o', 'best']);
  expect(new RouteTable([route('a', 'r')]).find('b')).toBeUndefined();
});

it('of two routes for one pattern the first counts', () => {
  const table = new RouteTable([route('a', 'config', ['b*']), route('a', 'record'), route('b*', 'record')]);
  expect([table.find('a')?.id, table.find('bc')?.id]).toEqual(['config', 'config']);
});

it('finds what asking every pattern finds, whatever names are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(pattern, fc.array(pattern, { maxLength: 2 })), { maxLength: 8 }),
      name,
      (given, model) => {
        const routes = given.map(([first, aliases], index) => route(first, String(index), aliases));
        const matching = routes.flatMap((one) =>
          [one.model, ...one.aliases].filter((own) => matchesModel(own, model)).map((own) => ({ one, own })),
        );
        const rank = (own: string): number => (own.endsWith('*') ? own.length : Infinity);
        const best = matching.toSorted((one, other) =>
          rank(one.own) === rank(other.own) ? 0 : rank(other.own) - rank(one.own),
        );
        expect(new RouteTable(routes).find(model)?.id).toBe(best[0]?.one.id);
      },
    ),
  );
});
