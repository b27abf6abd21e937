import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../admin-api/client.ts';
import { openProbe } from './change-probe.ts';
import { steadyLoad } from './steady-load.ts';
import type { PhaseReport } from './steady-load.ts';

/** What a table of one size showed. */
export interface ChangesMeasurement {
  /** From sending the change to the administration API to the first answer that it governs, one per change. */
  readonly shownMs: readonly number[];
  /** The part of that which the administration API took to answer, in the same order. */
  readonly acceptedMs: readonly number[];
  readonly steady: PhaseReport;
  readonly changing: PhaseReport;
  /** The same of requests that went to the upstream without a gateway between: what the machine alone makes of them. */
  readonly direct: { readonly steady: PhaseReport; readonly changing: PhaseReport };
}

/** Where to change, and what governs. */
export interface ChangedPlace {
  readonly client: Client;
  readonly tenantId: string;
  readonly gatewayId: string;
  readonly serviceId: string;
  readonly proxyPort: number;
  readonly upstreamPort: number;
}

/** Length of the steady phase; two of them frame the changes. */
const steadyMs = 10_000;

/** Makes, changes and deletes one route after the other under load. */
export async function measureChanges(
  place: ChangedPlace,
  cycles: number,
  connections: number,
): Promise<ChangesMeasurement> {
  const { client, tenantId, gatewayId, serviceId, proxyPort, upstreamPort } = place;
  const probe = openProbe(proxyPort);
  await using load = steadyLoad(proxyPort, '/bench/load', connections);
  await using direct = steadyLoad(upstreamPort, '/bench/load', 1);
  const turn = (): Phases => ({ load: load.turn(), direct: direct.turn() });
  await delay(steadyMs); // The first requests compile the gateway's code.
  turn();
  await delay(steadyMs);
  const before = turn();
  const shownMs: number[] = [];
  const acceptedMs: number[] = [];
  const change = async (
    send: () => Promise<unknown>,
    path: string,
    isGoverned: (status: number) => boolean,
  ): Promise<void> => {
    const sentMs = performance.now();
    const accepted = send().then((answer) => {
      acceptedMs.push(performance.now() - sentMs);
      return answer;
    });
    const shown = await probe.until(path, isGoverned);
    await accepted;
    shownMs.push(shown - sentMs);
  };
  const routes = `/api/v1/admin/gateways/${gatewayId}/routes`;
  const query = `tenant_id=${tenantId}`;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const name = `changing-${cycle}`;
    let id = '';
    const body = { tenant_id: tenantId, service_id: serviceId, name, path: `/made-${cycle}` };
    await change(
      async () => {
        ({ id } = (await client.expect('POST', routes, 201, body)) as { id: string });
      },
      `/made-${cycle}`,
      (status) => status !== 404,
    );
    await change(
      () => client.expect('PATCH', `${routes}/${id}?${query}`, 200, { path: `/changed-${cycle}` }),
      `/changed-${cycle}`,
      (status) => status !== 404,
    );
    await change(
      () => client.send('DELETE', `${routes}/${id}?${query}`),
      `/changed-${cycle}`,
      (status) => status === 404,
    );
  }
  const changing = turn();
  await delay(steadyMs);
  const after = turn();
  await probe.close();
  return {
    shownMs,
    acceptedMs,
    steady: together(before.load, after.load),
    changing: changing.load,
    direct: { steady: together(before.direct, after.direct), changing: changing.direct },
  };
}

/** One phase of both loads. */
interface Phases {
  readonly load: PhaseReport;
  readonly direct: PhaseReport;
}

function together(one: PhaseReport, other: PhaseReport): PhaseReport {
  return {
    requests: one.requests + other.requests,
    failed: one.failed + other.failed,
    latenciesMs: [...one.latenciesMs, ...other.latenciesMs],
  };
}
