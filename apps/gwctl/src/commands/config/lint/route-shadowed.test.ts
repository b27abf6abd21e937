import { compileRouteExpression, readRoutePath } from '@portcullis/resources';
import { routeRuleOf, routeTable } from '@portcullis/router';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lintBundle } from './lint-bundle.ts';
import { routeShadowed } from './rules/route-shadowed.ts';

const paths = ['/', '/a', '/a/b', '/a/b/c', '/b', '~/a/[^/]+$', '~/a/[^/]+', '~/b'];
const hosts = ['h.example', '*.example', 'x.h.example', 'h.*'];
const route = fc.record({
  priority: fc.constantFrom(0, 0, 1),
  path_type: fc.constantFrom('prefix', 'prefix', 'exact'),
  paths: fc.subarray(paths, { maxLength: 2 }),
  hosts: fc.subarray(hosts, { maxLength: 2 }),
  methods: fc.subarray(['GET', 'PUT'], { maxLength: 2 }),
});

it('a route that is said to be shadowed gets none of many requests', () => {
  let shadowed = 0;
  const requests = ['h.example', 'y.example', 'x.h.example', 'h.z', 'other'].flatMap((host) =>
    ['/', '/a', '/a/b', '/a/b/c', '/a/q', '/a/q/r', '/b', '/bb', '/z'].flatMap((path) =>
      ['GET', 'PUT', 'POST'].map((method) => ({ host, path, method, query: '', headers: [] })),
    ),
  );
  fc.assert(
    fc.property(fc.array(route, { minLength: 2, maxLength: 8 }), (drawn) => {
      const routes = drawn.map((fields, index) => ({ name: `r${index}`, gateway_name: 'g', ...fields }));
      const rules = routes.map((fields) =>
        routeRuleOf(
          {
            id: fields.name,
            created_at_ms: 0,
            regex_priority: 0,
            headers: {},
            query: {},
            snis: [],
            ...fields,
          },
          readRoutePath,
          () => {},
        ),
      );
      const table = routeTable(rules, { compile: compileRouteExpression });
      const winners = new Set(requests.map((request) => table.match(request)?.route.name));
      for (const { name } of lintBundle({ routes }, [routeShadowed], {})) {
        expect(winners).not.toContain(name);
        shadowed += 1;
      }
    }),
    { numRuns: 500 },
  );
  // Otherwise the property says nothing.
  expect(shadowed).toBeGreaterThan(100);
});
