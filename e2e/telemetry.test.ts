import { readdir, readFile } from 'node:fs/promises';
import { eventually, startUpstream, temporaryFolder, type TemporaryFolder, type Upstream } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProtectedRoutes, type ProtectedRoutes } from './support/protected-routes.ts';

/** How long records and spans may take to leave on a busy machine. */
const leavingMs = 60_000;

describe('what a built gateway tells others of requests', () => {
  let collector: Upstream;
  let routes: ProtectedRoutes;
  let logs: TemporaryFolder;
  beforeAll(async () => {
    collector = await startUpstream((_request, response) => void response.end());
    logs = await temporaryFolder();
    routes = await startProtectedRoutes({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'edge-of-the-test',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      PORTCULLIS_LOG_DIR: logs.path,
    });
  });
  afterAll(async () => {
    await routes[Symbol.asyncDispose]();
    await collector[Symbol.asyncDispose]();
    await logs[Symbol.asyncDispose]();
  });

  it('one trace is named at the upstream, in the record and to the collector', async () => {
    await routes.protect('traced', 'http_log', { http_endpoint: `${collector.url}/records` });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const called = await routes.until(200, '/traced', () => ({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` }));
    expect(called.upstream?.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    const recorded = await eventually(() => bodiesAt('/records').find((body) => body.includes(traceId)), {
      timeoutMs: leavingMs,
    });
    expect([JSON.parse(recorded.toString())].flat()).toContainEqual(
      expect.objectContaining({ trace_id: traceId, path: '/traced', status: 200 }),
    );
    const ofTrace = await eventually(
      () => bodiesAt('/v1/traces').find((body) => body.includes(Buffer.from(traceId, 'hex'))),
      { timeoutMs: leavingMs },
    );
    expect(ofTrace.includes('edge-of-the-test')).toBe(true);
    await eventually(() => bodiesAt('/v1/metrics').find((body) => body.includes('gateway_http_requests')), {
      timeoutMs: leavingMs,
    });
  });

  it('lines of file_log lie in the folder of the tenant', async () => {
    await routes.protect('filed', 'file_log', { path: 'shop/requests.log' });
    await routes.until(200, '/filed');
    const line = await eventually(
      async () => {
        const [file] = (await readdir(logs.path, { recursive: true })).filter((name) => name.endsWith('requests.log'));
        const text = file === undefined ? '' : await readFile(logs.join(file), 'utf8');
        return text.endsWith('\n') ? text.split('\n')[0] : undefined;
      },
      { timeoutMs: leavingMs },
    );
    expect(JSON.parse(line)).toMatchObject({ path: '/filed', status: 200, tenant_id: 'default' });
  });

  function bodiesAt(path: string): readonly Buffer[] {
    return collector.requests.filter(({ url }) => url === path).map(({ body }) => body);
  }
});
