import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { eventually, startProcess, type RunningProcess } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from './database/each-database.test-support.ts';
import { password, secretKeys } from './testing/test-service.test-support.ts';

const main = ['--conditions=@portcullis/source', new URL('./main.ts', import.meta.url).pathname];

async function start(databaseUrl: string): Promise<{ child: RunningProcess; url: string; token: string }> {
  const urlOf = (running: RunningProcess): string | undefined => /"url":"([^"]+)"/.exec(running.stdout())?.[1];
  const env = {
    PORTCULLIS_SECRET_KEYS: secretKeys,
    PORTCULLIS_ADMIN_PORT: '0',
    PORTCULLIS_ADMIN_PASSWORD: password,
    PORTCULLIS_DATABASE_URL: databaseUrl,
  };
  const child = await startProcess({ args: main, env, readyWhen: (running) => urlOf(running) !== undefined });
  const url = urlOf(child) ?? '';
  const login = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  return { child, url, token };
}

function post(url: string, token: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}/api/v1/admin${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function names(url: string, token: string, skip = 0): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/admin/gateways?tenant_id=acme&limit=200&skip=${skip}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { items, total } = (await response.json()) as { items: { name: string }[]; total: number };
  const rest = skip + items.length < total ? await names(url, token, skip + items.length) : [];
  return [...items.map(({ name }) => name), ...rest];
}

/** Sends a create whose body is not complete yet. */
async function slowWrite(url: string, token: string): Promise<{ socket: Socket; finish: () => Promise<string> }> {
  const body = JSON.stringify({ name: 'slow' });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'connect');
  socket.write(
    `POST /api/v1/admin/gateways?tenant_id=acme HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  const finish = async (): Promise<string> => {
    socket.write(body.slice(5));
    await once(socket, 'close');
    return Buffer.concat(chunks).toString('latin1');
  };
  return { socket, finish };
}

describeOnEachDatabase('a stop of the process', (context) => {
  it(
    'finishes what runs, refuses what is new, and loses nothing that it said was written',
    { timeout: 60_000 },
    async () => {
      const first = await start(context.url());
      expect((await post(first.url, first.token, '/tenants', { name: 'Acme', slug: 'acme' })).status).toBe(201);
      const written: string[] = [];
      const odd: number[] = [];
      let isRefused = false;
      const writer = async (id: number): Promise<void> => {
        for (let index = 0; !isRefused; index += 1) {
          const name = `w${id}-${index}`;
          try {
            const response = await post(first.url, first.token, '/gateways', { tenant_id: 'acme', name });
            if (response.status === 201) written.push(name);
            else odd.push(response.status);
          } catch {
            isRefused = true;
          }
        }
      };
      const writers = Array.from({ length: 8 }, (_, id) => writer(id));
      await eventually(() => written.length > 40);
      const slow = await slowWrite(first.url, first.token);
      // What was sent before this was read before this is answered.
      expect((await fetch(`${first.url}/health`)).status).toBe(200);
      const stopped = first.child.kill('SIGTERM', 20_000);
      await Promise.all(writers);
      expect(first.child.running()).toBe(true);
      await expect(fetch(`${first.url}/health`)).rejects.toThrow('fetch failed');
      const answer = await slow.finish();
      expect(answer).toMatch(/^HTTP\/1\.1 201 /);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      expect(await stopped).toMatchObject({ code: 0 });
      expect(odd).toEqual([]);
      const second = await start(context.url());
      try {
        const all = new Set(await names(second.url, second.token));
        expect(all).toEqual(new Set([...written, 'slow']));
      } finally {
        await second.child.kill();
      }
    },
  );
});
