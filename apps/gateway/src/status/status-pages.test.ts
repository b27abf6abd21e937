import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

const canary = 'canary-7d1f';

describe('/config', () => {
  it('tells what is served and nothing that could be secret', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    const { services = [], routes = [] } = everythingTo(upstream.url);
    await using gateway = await startTestGateway({
      services,
      routes: routes.map((route) => ({
        ...route,
        headers: { 'x-key': [canary] },
        plugins: [{ name: 'response_header_setter', config: { set: { 'x-a': canary } } }],
        path: '/of-one',
        a_field_of_tomorrow: canary,
      })),
      upstreams: [
        { id: 'u', name: 'u', healthchecks: { active: { http_path: '/up', headers: { 'x-probe': [canary] } } } },
      ],
      plugins: [{ id: 'keys', name: 'api_key_auth', scope: 'tenant', config: { valid_keys: [canary] } }],
    });
    const answer = await fetch(`${gateway.statusUrl}/config`);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).not.toContain(canary);
    expect(JSON.parse(text)).toMatchObject({ revision: 1, counts: { services: 1, routes: 1, plugins: 1 } });
    const page = async (query: string): Promise<{ records: { id: string }[] }> =>
      (await (await fetch(`${gateway.statusUrl}/config?${query}`)).json()) as { records: { id: string }[] };
    expect((await page('family=routes')).records).toMatchObject([
      { family: 'routes', id: 'route-1', paths: ['/'], path: '/of-one', header_names: ['x-key'], query_names: [] },
    ]);
    expect((await page('family=upstreams')).records).toMatchObject([
      { id: 'u', healthchecks: { active: { http_path: '/up', header_names: ['x-probe'] } } },
    ]);
    expect((await page('family=routes&skip=1')).records).toEqual([]);
    expect((await fetch(`${gateway.statusUrl}/config?limit=1001`)).status).toBe(400);
  });

  it('is 503 before there is a configuration', async () => {
    await using gateway = await startTestGateway();
    expect((await fetch(`${gateway.statusUrl}/config`)).status).toBe(503);
    expect((await fetch(`${gateway.statusUrl}/config`, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${gateway.statusUrl}/elsewhere`)).status).toBe(404);
  });
});

describe('/metrics', () => {
  it('has what the wire contract names of a gateway, and counts what plugins do', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    const limiter = { id: 'limit', name: 'rate_limiter', scope: 'tenant', config: { limit: 1, window_seconds: 3600 } };
    await using gateway = await startTestGateway({ ...everythingTo(upstream.url), plugins: [limiter] });
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await fetch(gateway.url)).status);
    expect(statuses).toEqual([200, 429, 429]);
    const text = await eventually(async () => {
      const scraped = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
      return scraped.includes('gateway_rate_limit_rejected_total{') && scraped;
    });
    const names = [
      ...['http_requests_total', 'http_request_duration_seconds', 'upstream_duration_seconds'],
      ...['overhead_duration_seconds', 'http_request_bytes_total', 'http_response_bytes_total', 'upstream_target_up'],
      ...['plugin_duration_seconds', 'plugin_failures_total', 'plugin_circuit_state', 'rate_limit_rejected_total'],
      ...['config_revision', 'config_apply_duration_seconds', 'control_plane_connected'],
    ];
    for (const name of names) expect(text).toContain(`# TYPE gateway_${name} `);
    expect(text).toMatch(/^gateway_rate_limit_rejected_total\{[^}]*route="route-1"[^}]*\} 2$/m);
    expect(text).toMatch(/^gateway_plugin_duration_seconds_count\{plugin="rate_limiter",hook="request"\} 3$/m);
    expect(text).toMatch(/^gateway_plugin_circuit_state\{plugin="rate_limiter",instance="limit"\} 0$/m);
  });

  it('has the time of every hook, also of requests of which no raw record is kept', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    const setter = {
      id: 'set',
      name: 'response_header_setter',
      scope: 'tenant',
      config: { set: { 'x-by': 'gateway' } },
    };
    const resources = { ...everythingTo(upstream.url), plugins: [setter] };
    await using gateway = await startTestGateway(resources, { PORTCULLIS_RECORDS_PER_SECOND: '0' });
    for (let turn = 0; turn < 20; turn += 1) await (await fetch(gateway.url)).text();
    const text = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
    expect(text).toMatch(
      /^gateway_plugin_duration_seconds_count\{plugin="response_header_setter",hook="response"\} 20$/m,
    );
    const records = gateway.controlPlane.batches.flatMap((batch) => batch.records);
    expect(records).toEqual([]);
  });

  it('count refusals of limits whatever their status, and no 429 of another plugin', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('ok'));
    const header_equals = { 'x-stop': '1' };
    const plugins = [
      {
        id: 'limit',
        name: 'rate_limiter',
        scope: 'tenant',
        config: { limit: 1, window_seconds: 3600, error_code: 503 },
      },
      {
        id: 'stop',
        name: 'request_termination',
        scope: 'tenant',
        priority: 9,
        config: { status_code: 429, header_equals },
      },
    ];
    await using gateway = await startTestGateway({ ...everythingTo(upstream.url), plugins });
    const statuses = [];
    for (const stop of ['0', '0', '1', '1', '0'])
      statuses.push((await fetch(gateway.url, { headers: { 'x-stop': stop } })).status);
    expect(statuses).toEqual([200, 503, 429, 429, 503]);
    const text = await eventually(async () => {
      const scraped = await (await fetch(`${gateway.statusUrl}/metrics`)).text();
      return /^gateway_rate_limit_rejected_total\{.* [2-9]/m.test(scraped) && scraped;
    });
    expect(text).toMatch(/^gateway_rate_limit_rejected_total\{[^}]*route="route-1"[^}]*\} 2$/m);
  });

  it('are OpenMetrics for a scraper that asks for that', async () => {
    await using gateway = await startTestGateway();
    const accept = 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
    const answer = await fetch(`${gateway.statusUrl}/metrics`, { headers: { accept } });
    expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const text = await answer.text();
    expect(text).toContain('# TYPE process_cpu_seconds counter\n');
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    expect(text).not.toContain('\n\n');
    const plain = await fetch(`${gateway.statusUrl}/metrics`);
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await plain.text()).not.toContain('# EOF');
  });
});
