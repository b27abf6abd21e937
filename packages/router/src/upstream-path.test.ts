import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import type { PathRule } from './route-rule.ts';
import { routeTable } from './build-route-table.ts';
import { upstreamPath } from './upstream-path.ts';

const prefix = (value: string): PathRule => ({ type: 'prefix', value });
const exact = (value: string): PathRule => ({ type: 'exact', value });
const regex = (value: string): PathRule => ({ type: 'regex', value });

/** Service path, route path, request, expected with strip_path, expected without. Written by hand from the wire contract. */
const oracle: readonly (readonly [string, PathRule | undefined, string, string | undefined, string])[] = [
  ['/', undefined, '/', '/', '/'],
  ['/', undefined, '/x/y', '/x/y', '/x/y'],
  ['/', prefix('/'), '/', '/', '/'],
  ['/', prefix('/'), '/x', '/x', '/x'],
  ['/', prefix('/v2'), '/v2', '/', '/v2'],
  ['/', prefix('/v2'), '/v2/', '/', '/v2/'],
  ['/', prefix('/v2'), '/v2/x', '/x', '/v2/x'],
  ['/', prefix('/v2/'), '/v2', '/', '/v2'],
  ['/', prefix('/v2/'), '/v2/x/', '/x/', '/v2/x/'],
  ['/', exact('/v2'), '/v2', '/', '/v2'],
  ['/', regex('/v\\d'), '/v2/x', '/x', '/v2/x'],
  ['/', regex('/v\\d'), '/v25', '/5', '/v25'],
  ['/', regex('/u/([^/]+)$'), '/u/jo', '/', '/u/jo'],
  ['/', regex('/u/([^/]+)'), '/u/jo/k', '/k', '/u/jo/k'],
  ['/api', undefined, '/', '/api/', '/api/'],
  ['/api', undefined, '/x', '/api/x', '/api/x'],
  ['/api', prefix('/'), '/', '/api/', '/api/'],
  ['/api', prefix('/'), '/x', '/api/x', '/api/x'],
  ['/api', prefix('/v2'), '/v2', '/api', '/api/v2'],
  ['/api', prefix('/v2'), '/v2/', '/api/', '/api/v2/'],
  ['/api', prefix('/v2'), '/v2/x', '/api/x', '/api/v2/x'],
  ['/api', exact('/v2/x'), '/v2/x', '/api', '/api/v2/x'],
  ['/api', regex('/v\\d'), '/v25', '/api/5', '/api/v25'],
  ['/api', regex('/u/([^/]+)$'), '/u/jo', '/api', '/api/u/jo'],
  ['/api', regex('/x'), '/x../secret', undefined, '/api/x../secret'],
  ['/api', regex('/x'), '/x..', undefined, '/api/x..'],
  ['/api', regex('/x'), '/x./y', undefined, '/api/x./y'],
  ['/api', regex('/x'), '/x.', undefined, '/api/x.'],
  ['/api', regex('/x'), '/x..;/y', undefined, '/api/x..;/y'],
  ['/', regex('/x'), '/x../y', undefined, '/x../y'],
  ['/api', regex('/x'), '/x.../y', '/api/.../y', '/api/x.../y'],
  ['/api', regex('/x'), '/x..%2Fy', undefined, '/api/x..%2Fy'],
  ['/api/', undefined, '/x', '/api/x', '/api/x'],
  ['/api/', prefix('/v2'), '/v2', '/api/', '/api/v2'],
  ['/api/', prefix('/v2'), '/v2/', '/api/', '/api/v2/'],
  ['/api/', prefix('/v2'), '/v2/x', '/api/x', '/api/v2/x'],
  ['/api/', exact('/v2/x'), '/v2/x', '/api/', '/api/v2/x'],
];

describe('the path that goes upstream', () => {
  it.each(oracle)(
    'service %s, route %j, request %s: stripped %s, whole %s',
    (service, path, request, stripped, whole) => {
      const route = {
        ...{ id: 'r', name: 'r', createdAtMs: 0, priority: 0, regexPriority: 0 },
        ...{ hosts: [], methods: [], headers: [], query: [], paths: path === undefined ? [] : [path] },
      };
      const match = routeTable([route], { compile: RE2JS.compile }).match({
        method: 'GET',
        host: 'h',
        path: request,
        query: '',
        headers: [],
      });
      expect(upstreamPath(service, request, match?.matchedLength ?? -1)).toBe(stripped);
      expect(upstreamPath(service, request, 0)).toBe(whole);
    },
  );
});
