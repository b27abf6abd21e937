import { describe, expect, it } from 'vitest';
import { startUpstream } from '@portcullis/testkit';
import { gwctlHome } from './fake-api.test-support.ts';
import { ownRelease } from './release.ts';

const get = ['get', 'gateways', '-o', 'json'];

/**
 * A control plane with one session: each renewal gives a new pair of tokens, only the newest access token is let in, and a
 * refresh token that comes twice ends the session.
 */
async function startSessions() {
  const state = { renewals: 0, isOver: false };
  const server = await startUpstream((req, res, request) => {
    const send = (status: number, body: unknown): void => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const pair = () => ({
      ...{ access_token: `access-${state.renewals}`, refresh_token: `refresh-${state.renewals}` },
      ...{ token_type: 'Bearer', expires_in: 900 },
    });
    const refused = { status: 401, code: 'unauthenticated', title: 'x', detail: 'The token is not valid' };
    if (req.url === '/auth/login') return send(200, pair());
    if (req.url === '/api/versions') return send(200, { release: ownRelease() });
    if (req.url === '/auth/refresh') {
      const given = (JSON.parse(String(request.body)) as { refresh_token: string }).refresh_token;
      if (given !== `refresh-${state.renewals}`) state.isOver = true;
      if (state.isOver) return send(401, refused);
      state.renewals += 1;
      return send(200, pair());
    }
    const isIn = !state.isOver && req.headers.authorization === `Bearer access-${state.renewals}`;
    return isIn ? send(200, { items: [], total: 0 }) : send(401, refused);
  });
  return { server, state };
}

async function loggedIn() {
  const { server, state } = await startSessions();
  const home = await gwctlHome();
  const login = ['--username', 'ada', '--password', 'x', '--tenant-id', 'acme'];
  expect(await home.run('--api-url', server.url, 'login', ...login)).toMatchObject({ exitCode: 0 });
  /** Lets the access token end within so many milliseconds. */
  const expire = (inMs: number): void => {
    const { current, contexts } = home.stored();
    const context = { ...contexts['default'], expires_at: new Date(Date.now() + inMs).toISOString() };
    home.write({ current, contexts: { default: context } });
  };
  const dispose = async () => {
    await home[Symbol.asyncDispose]();
    await server.close();
  };
  return { ...home, server, state, expire, [Symbol.asyncDispose]: dispose };
}

describe('a session made with a password', () => {
  it('is left alone while its token lasts', async () => {
    await using home = await loggedIn();
    expect(await home.run(...get)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(home.state.renewals).toBe(0);
    const shown = JSON.parse((await home.run('context', 'show', '-o', 'json')).stdout) as Record<string, unknown>;
    expect(shown).toMatchObject({ renews: true, expires_at: home.stored().contexts['default']?.['expires_at'] });
    expect(JSON.stringify(shown)).not.toContain('refresh-0');
  });

  it.each([-1000, 5000])('is renewed before a command when its token ends in %i ms', async (inMs) => {
    await using home = await loggedIn();
    home.expire(inMs);
    expect(await home.run(...get)).toMatchObject({ exitCode: 0, stderr: '' });
    const stored = home.stored().contexts['default'];
    expect(stored).toMatchObject({ token: 'access-1', refresh_token: 'refresh-1', tenant_id: 'acme' });
    expect(Date.parse(String(stored?.['expires_at']))).toBeGreaterThan(Date.now() + 60_000);
    expect(home.server.requests.find(({ url }) => url === '/auth/refresh')?.headers.authorization).toBeUndefined();
  });

  it('is renewed once by processes that find it ended together: a refresh token that is used twice would end it', async () => {
    await using home = await loggedIn();
    home.expire(-1000);
    const runs = await Promise.all(Array.from({ length: 5 }, () => home.run(...get)));
    expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      runs.map(() => ({ exitCode: 0, stderr: '' })),
    );
    expect(home.state).toEqual({ renewals: 1, isOver: false });
  });

  it('that is over says to log in again', async () => {
    await using home = await loggedIn();
    home.expire(-1000);
    home.state.isOver = true;
    expect(await home.run(...get)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'gwctl: the session of context default is over: run gwctl login again\n',
    });
  });

  it('is not renewed at another address, nor where a token is given', async () => {
    await using home = await loggedIn();
    home.expire(-1000);
    await using other = await startUpstream((_req, res) => void res.writeHead(500).end());
    await home.run('--api-url', other.url, ...get);
    await home.run('--token', 'access-0', ...get);
    expect(other.requests).toEqual([]);
    expect(home.state.renewals).toBe(0);
  });

  it('ends with a login that has a token instead', async () => {
    await using home = await loggedIn();
    await home.run('login', '--token', 'gwadm_x');
    expect(home.stored().contexts['default']).toEqual({ api_url: home.server.url, token: 'gwadm_x' });
  });
});
