import { fileURLToPath } from 'node:url';
import { startProcess, type RunningProcess } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const key = { 'x-api-key': 'the-key-of-acme' };

/** An example as its README starts it, on a free port. */
async function start(file: string): Promise<AsyncDisposable & { readonly url: string }> {
  const listening = /listening on (http:\S+)/;
  const child: RunningProcess = await startProcess({
    args: [`${root}examples/embedding/${file}`],
    env: { PORT: '0' },
    readyWhen: (running) => listening.test(running.stdout()),
  });
  return {
    url: listening.exec(child.stdout())?.[1] ?? '',
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

async function call(url: string, init: RequestInit = {}): Promise<{ status: number; headers: Headers; body: string }> {
  // A connection of its own: one that is kept might be closed by the other side at the moment it is used again.
  const headers = { connection: 'close', ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(url, { ...init, headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/**
 * What a fresh example answers, all of it within one hour by the clock: limits of the examples begin anew with each, and a run
 * that the turn of an hour divides is done again.
 */
async function inOneHour<Answers>(file: string, run: (url: string) => Promise<Answers>): Promise<Answers> {
  for (;;) {
    await using app = await start(file);
    const hour = hourNow();
    const answers = await run(app.url);
    if (hourNow() === hour) return answers;
  }
}

const hourNow = (): number => Math.floor(Date.now() / 3_600_000);

describe('the plugin runtime in other servers', () => {
  it('hono-app.ts: no key, two requests that pass, one too many', async () => {
    const answers = await inOneHour('hono-app.ts', async (url) => {
      const all = [];
      for (const headers of [{}, key, key, key]) all.push(await call(url, { headers }));
      return all;
    });
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200, 429]);
    expect(answers[1]?.body).toBe('hello, acme\n');
    expect(answers.map(({ headers }) => headers.get('x-frame-options'))).toEqual(['DENY', 'DENY', 'DENY', 'DENY']);
  });

  it('express-app.ts: keys, versions, bodies that go through, and a handler that fails', async () => {
    await using app = await start('express-app.ts');
    expect((await call(app.url)).status).toBe(401);
    const spoofed = { ...key, 'accept-version': '1', 'x-consumer-id': 'admin' };
    const hello = await call(app.url, { headers: spoofed });
    expect([hello.body, hello.headers.get('api-version')]).toEqual(['hello, acme, in version 1\n', '1']);
    expect((await call(app.url, { headers: { ...key, 'accept-version': '9' } })).body).toBe('versions: 1, 2\n');
    const headers = { ...key, 'content-type': 'application/json' };
    const echo = await call(`${app.url}/echo`, { method: 'POST', headers, body: '{"a":[1]}' });
    expect([echo.body, echo.headers.get('api-version')]).toEqual(['{"a":[1]}', '2']);
    expect((await call(`${app.url}/broken`, { headers: key })).status).toBe(500);
  });

  it('node-http.ts: streams both ways, and counts clients by their address', async () => {
    const [first, ...later] = await inOneHour('node-http.ts', async (url) => [
      await call(url, { method: 'POST', body: 'hello' }),
      await call(url, { headers: { 'accept-version': '9' } }),
      await call(url, { headers: { 'x-forwarded-for': '203.0.113.1' } }),
      await call(url, { headers: { 'x-forwarded-for': '203.0.113.2' } }),
    ]);
    expect([first?.body, first?.headers.get('api-version')]).toEqual(['version 2: hello\n', '2']);
    expect(later.map(({ status }) => status)).toEqual([400, 200, 429]);
  });
});
