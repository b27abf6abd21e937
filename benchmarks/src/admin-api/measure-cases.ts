import { processUsage } from '../machine/process-usage.ts';
import type { Client } from './client.ts';
import { closedCalls } from './closed-calls.ts';
import type { ControlPlaneUnderTest } from './control-plane.ts';
import { writtenTenants } from './control-plane.ts';
import type { DatabasePlace } from './database-place.ts';
import { fillGateway, routeOf } from './fill.ts';
import { cases } from './measurement.ts';
import type { CaseMeasurement, CaseName } from './measurement.ts';

/** Records of the list that is read while others are written: it does not grow. */
const listedRoutes = 1000;
const writers = 16;
const api = '/api/v1/admin';

/** Measures every case, once for each call. */
export interface CaseMeter {
  /** @param isReversed the cases in reverse order, so that a drift of the machine favours none */
  measure(isReversed: boolean): Promise<readonly CaseMeasurement[]>;
}

/** Makes the gateways that are written to, and finds out how large the rows of a create are. */
export async function prepareCases(
  place: DatabasePlace,
  plane: ControlPlaneUnderTest,
  operations: number,
): Promise<CaseMeter> {
  const [one, many] = [plane.client(1), plane.client(writers)];
  const listed = await fillGateway(one, first, 'listed', listedRoutes);
  for (const tenant of writtenTenants) await fillGateway(one, tenant, 'written', 1);
  const page = await one.expect('GET', `${api}/gateways/${listed}/routes?tenant_id=${first}&limit=200`, 200);
  const ids = (page['items'] as { id: string }[]).map(({ id }) => id);
  let created = 0;
  const create = (client: Client, tenant: string): Promise<Record<string, unknown>> => {
    const route = routeOf(`written-${String(created++).padStart(9, '0')}`);
    return client.expect('POST', `${api}/gateways/written/routes?tenant_id=${tenant}`, 201, route);
  };
  const read = (client: Client, index: number): Promise<unknown> =>
    client.expect('GET', `${api}/gateways/${listed}/routes/${ids[index % ids.length]}?tenant_id=${first}`, 200);
  const list = (client: Client): Promise<unknown> =>
    client.expect('GET', `${api}/gateways/${listed}/routes?tenant_id=${first}&limit=50`, 200);
  const characters = await place.rowCharacters(String((await create(one, first))['id']));
  const calls: Readonly<Record<CaseName, Work>> = {
    bare_1: { insert: 1 },
    create_1: { callers: 1, call: () => create(one, first) },
    read_1: { callers: 1, call: (index) => read(one, index) },
    list_1: { callers: 1, call: () => list(one) },
    bare_16: { insert: writers },
    create_16: { callers: writers, call: () => create(many, first) },
    create_16_tenants: { callers: writers, call: (index) => create(many, tenantOf(index)) },
    read_16: { callers: writers, call: (index) => read(many, index) },
    list_16: { callers: writers, call: () => list(many) },
  };
  const measureCase = async (name: CaseName, count: number): Promise<CaseMeasurement> => {
    const work = calls[name];
    const base = { database: place.kind, name };
    if ('insert' in work) {
      return { ...base, perSecond: count / (await place.insertRows(count, characters, work.insert)) };
    }
    const before = processUsage(plane.process.pid);
    const times = await closedCalls(count, work.callers, work.call);
    const after = processUsage(plane.process.pid);
    return { ...base, ...times, cpuSecondsPer1000: ((after.cpuSeconds - before.cpuSeconds) / count) * 1000 };
  };
  // Code is compiled and connections are open before anything counts.
  for (const { name } of cases) await measureCase(name, Math.min(operations, warmUpOperations));
  return {
    async measure(isReversed) {
      const measured: CaseMeasurement[] = [];
      for (const { name } of isReversed ? cases.toReversed() : cases)
        measured.push(await measureCase(name, operations));
      return measured;
    },
  };
}

const warmUpOperations = 500;

/** Inserts of bare rows over some connections, or calls of some callers. */
type Work =
  | { readonly insert: number }
  | { readonly callers: number; readonly call: (index: number) => Promise<unknown> };

const first = tenantOf(0);

function tenantOf(index: number): string {
  return writtenTenants[index % writtenTenants.length] ?? '';
}
