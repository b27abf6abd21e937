import { describe, expect, it } from 'vitest';
import { diffBundles, parseBundle, planChanges, resolveBundle, validateBundle } from './index.ts';
import { libraryDescriptor } from './testdata/library-descriptor.ts';

function textOf(routes: number): string {
  return JSON.stringify({
    tenant_id: 'acme',
    gateways: [{ name: 'edge' }],
    services: Array.from({ length: routes / 10 }, (_, index) => ({ name: `s${index}`, gateway_name: 'edge' })),
    routes: Array.from({ length: routes }, (_, index) => ({
      name: `route-${index}`,
      gateway_name: 'edge',
      service_name: `s${index % (routes / 10)}`,
      path: `/things/${index}`,
    })),
  });
}

/** Milliseconds of CPU that this process spends on parsing, validating, resolving, comparing and planning. */
function costOf(routes: number): number {
  const text = textOf(routes);
  const started = process.cpuUsage();
  const parsed = parseBundle(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  expect(validateBundle(parsed.document, libraryDescriptor, { strict: true })).toMatchObject({ valid: true });
  let made = 0;
  const newId = () => `id-${(made += 1)}`;
  const first = resolveBundle(parsed.document, libraryDescriptor, {}, { newId });
  const second = resolveBundle(parsed.document, libraryDescriptor, first.desired, { newId });
  const created = diffBundles({}, first.desired, libraryDescriptor);
  expect(diffBundles(first.desired, second.desired, libraryDescriptor).in_sync).toBe(true);
  expect(planChanges(created.changes, libraryDescriptor).map(({ changes }) => changes.length)).toEqual([
    1,
    routes / 10,
    routes,
  ]);
  return process.cpuUsage(started).user / 1000;
}

describe('20,000 routes', () => {
  it('cost about ten times what 2,000 cost, not a hundred times', () => {
    costOf(2000);
    const [small, large] = [Math.min(costOf(2000), costOf(2000)), costOf(20_000)];
    expect(large).toBeLessThan(40 * small);
    expect(large).toBeLessThan(10_000);
  });
});
