import type { IncomingHttpHeaders } from 'node:http';
import { startUpstream, type Upstream } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEgress, type Egress, type EgressRequest } from '../egress.ts';
import { listenOn } from '@portcullis/testkit';

/** Answers `/STATUS?to=LOCATION` with that redirect, `/loop` with one to itself, and all else with what came. */
async function startRedirector(): Promise<Upstream> {
  return await startUpstream((_req, res, { method, url, headers, body }) => {
    const { pathname, searchParams } = new URL(url, 'http://here.test');
    const status = Number(pathname.slice(1));
    const location = pathname === '/loop' ? '/loop' : searchParams.get('to');
    if (location !== null) res.writeHead(status || 302, { location }).end('elsewhere');
    else res.end(JSON.stringify({ method, url, headers, body: body.toString() }));
  });
}

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let here: Upstream;
let there: Upstream;
const egress: Egress = createEgress({ allowed: [{ address: '127.0.0.1' }] });
beforeAll(async () => {
  [here, there] = await Promise.all([startRedirector(), startRedirector()]);
});
afterAll(async () => {
  await egress.close();
  await Promise.all([here.close(), there.close()]);
});

async function call(path: string, more: Partial<EgressRequest> = {}): Promise<Seen> {
  const answer = await egress.request({
    url: `${here.url}${path}`,
    timeoutMs: 30_000,
    responseBytesMax: 10_000,
    redirectsMax: 3,
    ...more,
  });
  return JSON.parse(Buffer.from(answer.body).toString()) as Seen;
}

function to(status: number, location: string): string {
  return `/${status}?to=${encodeURIComponent(location)}`;
}

const post = {
  method: 'POST',
  body: 'text',
  headers: ['Content-Type', 'text/plain', 'Authorization', 'Bearer secret', 'X-Key', 'secret', 'Accept', 'text/*'],
} as const;

describe('a redirect', () => {
  it('is an answer like any other where nobody asks to follow it', async () => {
    const url = `${here.url}${to(302, `${there.url}/next`)}`;
    const answer = await egress.request({ url, timeoutMs: 30_000, responseBytesMax: 100 });
    expect([answer.status, answer.header('location')]).toEqual([302, `${there.url}/next`]);
  });

  it.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'text'],
    [308, 'POST', 'text'],
  ])('of status %d makes %s of a POST', async (status, method, body) => {
    const seen = await call(to(status, '/next?a=b'), post);
    expect([seen.method, seen.url, seen.body, seen.headers['content-type']]).toEqual([
      method,
      '/next?a=b',
      body,
      body === '' ? undefined : 'text/plain',
    ]);
    expect([seen.headers.authorization, seen.headers['x-key']]).toEqual(['Bearer secret', 'secret']);
  });

  it.each([301, 302, 307, 308])('of status %d leaves other methods as they are', async (status) => {
    expect((await call(to(status, '/next'), { ...post, method: 'PUT' })).method).toBe('PUT');
    expect((await call(to(303, '/next'), { ...post, method: 'PUT' })).method).toBe('GET');
  });

  it('takes nothing but harmless fields to another party', async () => {
    const { headers } = await call(to(303, `${there.url}/next`), post);
    expect(Object.keys(headers).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
    expect(headers.host).toBe(`127.0.0.1:${there.port}`);
  });

  it.each([307, 308])('of status %d takes no body to another party', async (status) => {
    const before = there.connections();
    await expect(call(to(status, `${there.url}/next`), post)).rejects.toMatchObject({ code: 'refused' });
    expect(there.connections()).toBe(before);
  });

  it.each([
    ['a private address', 'http://127.0.0.2:PORT/'],
    ['a private address in another spelling', 'http://0x7f000002:PORT/'],
    ['a private address without a scheme', '//127.0.0.2:PORT/'],
    ['a metadata service', 'http://169.254.169.254/latest/meta-data/'],
    ['a file', 'file:///etc/passwd'],
    ['another scheme', 'gopher://127.0.0.1:PORT/'],
    ['a user', 'http://user:word@127.0.0.1:PORT/'],
    ['backslashes', '\\\\127.0.0.2:PORT\\'],
    ['no address', 'http://['],
  ])('to %s is refused, also as the second of a chain', async (_what, location) => {
    await using closed = await listenOn(['127.0.0.2']);
    const bad = location.replace('PORT', `${closed.port}`);
    await expect(call(to(302, bad))).rejects.toMatchObject({ code: 'refused' });
    await expect(call(to(301, to(302, bad)))).rejects.toMatchObject({ code: 'refused' });
    expect(closed.accepted('127.0.0.2')).toBe(0);
  });

  it('is followed as often as the call says, and loops end', async () => {
    expect((await call(to(301, to(302, to(307, '/next'))))).url).toBe('/next');
    await expect(call(to(301, to(302, '/next')), { redirectsMax: 1 })).rejects.toMatchObject({
      code: 'too_many_redirects',
    });
    here.requests.length = 0;
    await expect(call('/loop')).rejects.toMatchObject({ code: 'too_many_redirects' });
    expect(here.requests.length).toBe(4);
  });

  it('without an address, or of a status that leads nowhere, is an answer', async () => {
    const answer = await egress.request({
      url: `${here.url}${to(304, '/next')}`,
      timeoutMs: 30_000,
      responseBytesMax: 100,
      redirectsMax: 3,
    });
    expect(answer.status).toBe(304);
  });
});
