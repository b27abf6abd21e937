import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpApp } from './http-app.ts';
import { operations, problemOf, testDependencies } from './http-app.test-support.ts';
import { type RunningServer, startHttpServer } from './http-server.ts';

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const origin = 'https://console.test';

async function serve(...origins: string[]): Promise<RunningServer> {
  const app = createHttpApp({ ...testDependencies(quiet, operations), cors: { origins: new Set(origins) } });
  return startHttpServer(app, { host: '127.0.0.1', port: 0 }, { newId: () => 'made-id' });
}

let server: RunningServer;
beforeAll(async () => {
  server = await serve(origin);
});
afterAll(() => server.stop(1000));

const corsHeadersOf = (response: Response): string[] =>
  [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));

function preflight(url: string, from: string): Promise<Response> {
  const headers = {
    origin: from,
    'access-control-request-method': 'DELETE',
    'access-control-request-headers': 'authorization',
  };
  return fetch(url, { method: 'OPTIONS', headers });
}

describe('an allowed origin', () => {
  it('may read answers, refusals too, and the headers that matter, without cookies', async () => {
    for (const path of ['/admin/things', '/nowhere', '/level/public']) {
      const { headers } = await fetch(server.url + path, { headers: { origin } });
      expect(headers.get('access-control-allow-origin'), path).toBe(origin);
      expect(headers.get('vary'), path).toBe('Origin');
      expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(
        expect.arrayContaining(['X-Total-Count', 'Link', 'ETag', 'X-Request-ID', 'Retry-After']),
      );
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  it('is told before the real request what the path takes', async () => {
    const response = await preflight(`${server.url}/admin/things/x`, origin);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, DELETE');
    expect(response.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
    expect(response.headers.get('vary')).toContain('Origin');
    expect((await preflight(`${server.url}/nowhere`, origin)).status).toBe(404);
  });
});

describe('another origin', () => {
  it.each([
    'https://console.test.evil',
    'http://console.test',
    'https://console.test:8443',
    'https://CONSOLE.test',
    'null',
  ])('%s may read nothing', async (other) => {
    const response = await fetch(`${server.url}/admin/things`, { headers: { origin: other } });
    expect(corsHeadersOf(response)).toEqual([]);
    expect(response.headers.get('vary')).toBe('Origin');
    const asked = await preflight(`${server.url}/admin/things`, other);
    expect(asked.status).toBe(405);
    expect(corsHeadersOf(asked)).toEqual([]);
  });
});

describe('without allowed origins', () => {
  it('OPTIONS is 405 with Allow, and no answer speaks of origins', async () => {
    const plain = await serve();
    const response = await preflight(`${plain.url}/admin/things`, origin);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect(await problemOf(response)).toMatchObject({ code: 'method_not_allowed' });
    const answer = await fetch(`${plain.url}/admin/things`, { headers: { origin } });
    expect([corsHeadersOf(answer), answer.headers.has('vary')]).toEqual([[], false]);
    await plain.stop(1000);
  });
});
