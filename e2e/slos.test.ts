import { eventually, startUpstream } from '@portcullis/testkit';
import type { Upstream } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const admin = '/api/v1/admin';
const tenantId = 'acme';
/** A day: nothing of the test leaves it. */
const windowMinutes = 1440;

interface ObservedRequest {
  readonly latency_ms: number;
}

describe('objectives over a gateway and an upstream that fails on command', () => {
  let stack: Stack;
  let upstream: Upstream;
  let isFailing = false;
  let delayMs = (): number => 0;

  const call = async (method: string, path: string, body?: object) => {
    const separator = path.includes('?') ? '&' : '?';
    const answer = await stack.admin.call(method, `${admin}${path}${separator}tenant_id=${tenantId}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const createSlo = (name: string, objective: object) =>
    call('POST', '/slos', { name, gateway_id: 'edge', objective, evaluation_window_minutes: windowMinutes });
  const send = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 20) {
      await Promise.all(Array.from({ length: Math.min(20, left) }, async () => (await fetch(stack.gatewayUrl)).text()));
    }
  };
  /** Evaluates until so many requests are counted: gateways report every second or so. */
  const evaluated = (id: string, total: number) =>
    eventually(
      async () => {
        const slo = await call('POST', `/slos/${id}/evaluate`);
        expect(slo.evaluation.total_events).toBe(total);
        return slo;
      },
      { timeoutMs: 30_000 },
    );
  const observed = async (): Promise<ObservedRequest[]> => {
    const all: ObservedRequest[] = [];
    for (let total = 1; all.length < total;) {
      const page = await call('GET', `/observability/requests?limit=200&skip=${all.length}`);
      total = page.total;
      all.push(...page.items);
      if (page.items.length === 0) break;
    }
    return all;
  };
  const inSync = (): Promise<unknown> =>
    eventually(
      async () => {
        const { items } = await call('GET', '/data-planes');
        return items[0].sync_status === 'normal' && items[0].config_revision === items[0].target_revision;
      },
      { timeoutMs: 15_000 },
    );

  beforeAll(async () => {
    upstream = await startUpstream((_, res) => {
      setTimeout(() => res.writeHead(isFailing ? 503 : 200).end('done'), delayMs());
    });
    stack = await startStack();
    await stack.admin.call('POST', `${admin}/tenants`, { name: 'Acme', slug: tenantId });
    await call('POST', '/gateways', { id: 'edge', name: 'edge' });
    await call('POST', '/gateways/edge/services', { id: 'backend', name: 'backend', url: upstream.url });
    await call('POST', '/gateways/edge/routes', { name: 'all', service_id: 'backend', paths: ['/'] });
    const node = await call('POST', '/data-planes', { gateway_id: 'edge', name: 'node-1' });
    await stack.startGateway(node.token);
    await inSync();
  });
  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });

  it('count latency exactly with thresholds that were pushed, and within bounds with later ones', async () => {
    const thresholdMs = 20;
    const slo = await createSlo('fast', { type: 'latency', target_percent: 50, latency_threshold_ms: thresholdMs });
    await inSync();
    delayMs = () => 10 + Math.random() * 15;
    await send(100);
    delayMs = () => 0;
    const { evaluation } = await evaluated(slo.id, 100);
    const requests = await eventually(async () => {
      const all = await observed();
      return all.length === 100 && all;
    });
    const slower = (than: number): number => requests.filter(({ latency_ms: latencyMs }) => latencyMs > than).length;
    expect(evaluation).toMatchObject({
      exact: true,
      bad_events: slower(thresholdMs),
      source: 'counters',
      dropped_late: 0,
    });
    // A threshold that a request met to the microsecond: it is not slower than that.
    const [met = 1] = requests
      .map(({ latency_ms: latencyMs }) => latencyMs)
      .toSorted((a, b) => a - b)
      .slice(50);
    const later = await createSlo('later', { type: 'latency', target_percent: 50, latency_threshold_ms: met });
    const bounded = (await evaluated(later.id, 100)).evaluation;
    const [least, most] = bounded.bad_events_bounds ?? [bounded.bad_events, bounded.bad_events];
    expect(least).toBeLessThanOrEqual(slower(met));
    expect(most).toBeGreaterThanOrEqual(slower(met));
    expect(most - least).toBeLessThan(100);
  });

  it('go from healthy to critical, are acknowledged, and are healthy again', async () => {
    const { id } = await createSlo('answers', { type: 'availability', target_percent: 90 });
    expect((await evaluated(id, 100)).alert).toMatchObject({ state: 'healthy', acknowledged: false });
    isFailing = true;
    await send(40);
    isFailing = false;
    const critical = await evaluated(id, 140);
    expect(critical).toMatchObject({
      evaluation: { state: 'critical', bad_events: 40, good_events: 100, exact: true },
      alert: { state: 'critical', acknowledged: false },
    });
    const acknowledged = await call('POST', `/slos/${id}/acknowledge`, { note: 'the upstream is being mended' });
    expect(acknowledged.alert).toMatchObject({ state: 'critical', acknowledged: true, acknowledged_by: 'root' });
    expect((await evaluated(id, 140)).alert).toEqual(acknowledged.alert);
    const metrics = await (await fetch(`${stack.adminUrl}/metrics`)).text();
    expect(metrics).toContain(`gateway_slo_state{tenant="${tenantId}",slo="${id}",state="critical"} 1`);
    await send(400);
    const healthy = await evaluated(id, 540);
    expect(healthy).toMatchObject({ evaluation: { bad_events: 40 }, alert: { state: 'healthy', acknowledged: false } });
    const { items } = await call('GET', `/slos/${id}/timeline`);
    expect(items.map(({ type, to_state: state }: Record<string, string>) => `${type} ${state}`)).toEqual([
      'transition healthy',
      'acknowledged critical',
      'transition critical',
      'transition healthy',
      'created no_data',
    ]);
  });
});
