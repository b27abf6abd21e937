import { describe, expect, it } from 'vitest';
import { mixedBundle, oneRoute, routesAndConsumers } from './sample-bundle.ts';
import type { SampleBundle } from './sample-bundle.ts';

const records = (bundle: SampleBundle): number =>
  Object.values(bundle).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);

describe('sample bundles', () => {
  it.each([100, 1000, 12_345])('hold exactly %i entities', (entities) => {
    expect(records(mixedBundle('acme', entities))).toBe(entities);
  });

  it('hold as many routes and consumers as asked for', () => {
    const bundle = routesAndConsumers('acme', 25, 7);
    expect(bundle['routes']).toHaveLength(25);
    expect(bundle['consumers']).toHaveLength(7);
  });

  it('have one route that is among the others but for its path', () => {
    const [route] = oneRoute('acme', 12, '/moved')['routes'] as Record<string, unknown>[];
    const routes = mixedBundle('acme', 100)['routes'] as Record<string, unknown>[];
    expect({ ...route, path: '/things/12' }).toEqual(routes[12]);
  });
});
