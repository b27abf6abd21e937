import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { shownStates } from './slo-metrics.ts';
import { availability, minuteCounter, report, slosPath, startMs, startSloService } from './slo-world.test-support.ts';

describeOnEachDatabase('what objectives show to others', (context) => {
  const clock = { nowMs: startMs };
  let service: Awaited<ReturnType<typeof startSloService>>;
  const metrics = async (): Promise<string[]> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return text.split('\n').filter((line) => /^(?:gateway_slo|portcullis_slos)/.test(line));
  };

  beforeAll(async () => {
    service = await startSloService(context.url(), clock);
    await service.addTenant('acme');
    for (const id of ['burning', 'quiet']) {
      await service.ok('POST', slosPath, availability('acme', { id, name: `It's "${id}"` }));
    }
  });
  afterAll(() => service.stop());

  it('metrics are what the last evaluation left, and a scrape evaluates nothing', async () => {
    expect(await metrics()).not.toContainEqual(expect.stringContaining('gateway_slo_burn_rate{'));
    const counter = minuteCounter(startMs - 60_000, { requests: 100, errors_5xx: 3 });
    await report(context.database(), clock, { tenantId: 'acme', gatewayId: 'edge' }, { counters: [counter] });
    expect(await metrics()).toContain('gateway_slo_state{tenant="acme",slo="burning",state="no_data"} 1');
    await service.ok('POST', `${slosPath}/burning/evaluate?tenant_id=acme`);
    const lines = await metrics();
    for (const window of ['slo', '5m', '30m', '1h', '6h', '1d', '3d']) {
      expect(lines).toContain(`gateway_slo_burn_rate{tenant="acme",slo="burning",window="${window}"} 3`);
    }
    expect(lines).toContain('gateway_slo_state{tenant="acme",slo="burning",state="critical"} 1');
    expect(lines).toContain('gateway_slo_state{tenant="acme",slo="burning",state="no_data"} 0');
    expect(lines).toContain('gateway_slo_state{tenant="acme",slo="quiet",state="no_data"} 1');
    expect(lines).toContain('gateway_slo_error_budget_remaining_ratio{tenant="acme",slo="burning"} -2');
    expect(lines).toContain(`gateway_slo_evaluated_timestamp_seconds{tenant="acme",slo="burning"} ${startMs / 1000}`);
    expect(lines).toContain('portcullis_slos_without_series 0');
    expect(lines.filter((line) => line.includes('slo="quiet"'))).toHaveLength(4);
  });

  it('rules and dashboard name the objectives of the tenant, and no other tenant’s', async () => {
    await service.addTenant('globex');
    await service.ok('POST', slosPath, availability('globex', { id: 'theirs' }));
    const rules = await service.ok('GET', `${slosPath}/prometheus-rules?tenant_id=acme`);
    expect(rules.headers.get('content-type')).toBe('application/yaml');
    const { groups } = parse(rules.body) as { groups: { name: string; rules: { alert: string; expr: string }[] }[] };
    expect(groups.map(({ name }) => name)).toEqual(['slo acme burning', 'slo acme quiet']);
    expect(groups[0]?.rules.map(({ alert }) => alert)).toEqual(expect.arrayContaining(['SloWarning', 'SloCritical']));
    const dashboard = await service.ok('GET', `${slosPath}/grafana-dashboard?tenant_id=acme`);
    expect(dashboard.body.panels.length).toBeGreaterThan(0);
    expect(rules.body + JSON.stringify(dashboard.body)).not.toContain('theirs');
    for (const path of ['prometheus-rules', 'grafana-dashboard', 'evaluate']) {
      const made = await service.call('POST', slosPath, availability('acme', { id: path }));
      expect([made.status, made.body.errors?.[0]?.pointer]).toEqual([422, '/id']);
    }
  });

  it('no tenant takes the series of others, and those that alert come first', async () => {
    await service.addTenant('aaa');
    for (const id of ['one', 'two', 'three']) await service.ok('POST', slosPath, availability('aaa', { id }));
    const shown = async (most: number) =>
      (await shownStates(context.database(), most)).map((row) => `${row.tenant_id}/${row.id}`);
    // `burning` is critical, and the first of its tenant in any case; `zz-late` only once it alerts.
    await service.ok('POST', slosPath, availability('acme', { id: 'zz-late' }));
    expect((await shown(4)).toSorted()).toEqual(['aaa/one', 'aaa/three', 'acme/burning', 'globex/theirs'].toSorted());
    await service.ok('POST', `${slosPath}/zz-late/evaluate?tenant_id=acme`);
    expect(await shown(5)).toEqual(['aaa/one', 'acme/burning', 'globex/theirs', 'aaa/three', 'acme/zz-late']);
  });
});
