import { median } from '../figures/quantile.ts';
import { largeTenant } from './control-plane.ts';
import type { ControlPlaneUnderTest } from './control-plane.ts';
import type { DatabasePlace } from './database-place.ts';
import { fillGateway } from './fill.ts';
import type { PageMeasurement } from './measurement.ts';

/** Records of a page, and those left out before page 500. */
export const pageRecords = 50;
const farSkipMax = 499 * pageRecords;

/** What page 500 leaves out; in a shorter list, what its last whole page does. */
export function farSkip(routes: number): number {
  return Math.min(farSkipMax, Math.floor((routes - pageRecords) / pageRecords) * pageRecords);
}

/** Fills a gateway with routes and gives a function that measures both pages, each `requests` times in turn. */
export async function preparePages(
  place: DatabasePlace,
  plane: ControlPlaneUnderTest,
  routes: number,
  requests: number,
): Promise<() => Promise<PageMeasurement>> {
  const client = plane.client(1);
  const id = await fillGateway(client, largeTenant, 'large', routes);
  const page = async (skip: number): Promise<number> => {
    const path = `/api/v1/admin/gateways/${id}/routes?tenant_id=${largeTenant}&limit=${pageRecords}&skip=${skip}`;
    const startMs = performance.now();
    const { items, total } = await client.expect('GET', path, 200);
    const tookMs = performance.now() - startMs;
    const found = (items as unknown[]).length;
    if (found !== pageRecords || total !== routes) throw new Error(`${path} gave ${found} of ${String(total)} records`);
    return tookMs;
  };
  return async () => {
    const [first, far]: [number[], number[]] = [[], []];
    for (let request = 0; request < requests; request += 1) {
      first.push(await page(0));
      far.push(await page(farSkip(routes)));
    }
    return { database: place.kind, firstMs: median(first), farMs: median(far) };
  };
}
