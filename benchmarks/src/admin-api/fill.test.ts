import { familyNamed, writeSchema } from '@portcullis/resources';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { bundleOf, routeOf } from './fill.ts';
import { farSkip, pageRecords } from './measure-pages.ts';

describe('what the gateways are filled with', () => {
  it('is a route that the control plane takes', () => {
    expect(v.safeParse(writeSchema(familyNamed('routes')), routeOf('route-1')).issues).toBeUndefined();
  });

  it('goes on where the bundle before it ended', () => {
    const names = [0, 3].flatMap((start) =>
      (bundleOf('large', 'gateway', start, 3)['routes'] as { name: string }[]).map(({ name }) => name),
    );
    expect(names).toEqual([0, 1, 2, 3, 4, 5].map((number) => `route-000000${number}`));
  });
});

describe('the far page', () => {
  it.each([
    [100_000, 24_950],
    [25_000, 24_950],
    [24_999, 24_900],
    [100, 50],
    [120, 50],
  ])('of %i routes leaves out %i, and is full', (routes, skip) => {
    expect(farSkip(routes)).toBe(skip);
    expect(skip + pageRecords).toBeLessThanOrEqual(routes);
  });
});
