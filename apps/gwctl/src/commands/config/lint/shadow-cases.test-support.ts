import { g, routed } from './rule-cases.test-support.ts';
import type { RuleCase } from './rule-cases.test-support.ts';

/** Cases of the rule about shadowed routes. */
export const shadowCases: readonly RuleCase[] = [
  ['route-shadowed', 'the same path twice', routed({ path: '/a' }, { path: '/a' }), ['/routes/1']],
  [
    'route-shadowed',
    'a higher priority on a shorter prefix',
    routed({ path: '/a/b' }, { path: '/a', priority: 1 }),
    ['/routes/0'],
  ],
  [
    'route-shadowed',
    'every path and method, by two routes',
    routed(
      { paths: ['/a/b', '/c'], methods: ['GET'] },
      { path: '/a', priority: 1 },
      { path: '/c', methods: ['GET'], priority: 1 },
    ),
    ['/routes/0'],
  ],
  [
    'route-shadowed',
    'a wildcard above',
    routed({ hosts: ['*.a.example.com'], path: '/x' }, { hosts: ['*.example.com'], path: '/x', priority: 9 }),
    ['/routes/0'],
  ],
  [
    'route-shadowed',
    'the same expression',
    routed({ path: '~/a/(?<x>[^/]+)$' }, { path: '~/a/(?<x>[^/]+)$' }),
    ['/routes/1'],
  ],
  [
    'route-shadowed',
    'a prefix of priority above an expression',
    routed({ path: String.raw`~/v1\.0/a/(?<x>[^/]+)$` }, { path: '/v1.0', priority: 1 }),
    ['/routes/0'],
  ],
  [
    'route-shadowed',
    'an exact path that an expression of priority takes',
    routed({ path: '/a/b', path_type: 'exact' }, { path: '~/a/.+$', priority: 1 }),
    ['/routes/0'],
  ],
  [
    'route-shadowed',
    'the same header',
    routed({ path: '/a', headers: { x: ['1'] } }, { path: '/a', headers: { X: ['1', '2'] }, priority: 1 }),
    ['/routes/0'],
  ],
  [
    'route-shadowed',
    'longer prefixes, other methods, other hosts',
    routed({ path: '/a' }, { path: '/a/b' }, { path: '/a', methods: ['GET'] }, { path: '/a', hosts: ['h'] }),
    [],
  ],
  [
    'route-shadowed',
    'a priority for some methods, headers or a part',
    routed(
      { path: '/a' },
      { path: '/a', methods: ['GET'], priority: 1 },
      { path: '/a', headers: { x: ['1'] }, priority: 1 },
      { path: '/a/b', priority: 1 },
      { path: '/a', path_type: 'exact', priority: 1 },
    ),
    [],
  ],
  [
    'route-shadowed',
    'routes of two gateways, and one that is off',
    {
      gateways: [{ name: 'g' }, { name: 'h' }],
      routes: [
        { ...g, name: 'r', path: '/a' },
        { gateway_name: 'h', name: 'r', path: '/a' },
        { ...g, name: 'q', path: '/a', enabled: false },
      ],
    },
    [],
  ],
];
