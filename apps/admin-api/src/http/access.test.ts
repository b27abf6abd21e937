import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { principals, problemOf, startTestServer, type TestServer } from './http-app.test-support.ts';

let test: TestServer;
const call: TestServer['call'] = (path, options) => test.call(path, options);
beforeAll(async () => {
  test = await startTestServer(fetch);
});
afterAll(() => test.server.stop(1000));

describe('access', () => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    public: Object.keys(principals),
    read: ['super_admin', 'admin', 'writer', 'reader', 'token_read', 'token_both'],
    session: ['super_admin', 'admin', 'writer', 'reader'],
    write: ['super_admin', 'admin', 'writer', 'token_write', 'token_both'],
    administer: ['super_admin', 'admin', 'token_write', 'token_both'],
    super_admin: ['super_admin'],
    data_plane: ['data_plane'],
  };
  const matrix = Object.entries(allowed).flatMap(([access, who]) =>
    Object.keys(principals).map((name) => {
      const isForeign = (name === 'data_plane') !== (access === 'data_plane');
      const isWrongKind = access !== 'public' && (isForeign || (access === 'session' && name.startsWith('token')));
      return [name, access, who.includes(name) ? 200 : isWrongKind ? 401 : 403] as const;
    }),
  );

  it.each(matrix)('%s on %s gives %i', async (name, access, status) => {
    const response = await call(`/level/${access}`, { as: name });
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate')?.includes('invalid_token') ?? false).toBe(status === 401);
  });

  it.each(
    Object.keys(principals).map(
      (name) => [name, name === 'data_plane' ? 401 : /^token_(?!both)/.test(name) ? 403 : 200] as const,
    ),
  )('%s on a POST that reads gives %i', async (name, status) => {
    const response = await call('/level/read_by_post', { as: name, method: 'POST' });
    expect(response.status).toBe(status);
    if (status !== 403) return;
    const detail = 'The token needs the scope admin:read and the scope admin:write';
    expect(await problemOf(response)).toMatchObject({ code: 'forbidden', detail });
  });

  it.each([[undefined], ['Basic abc'], ['Bearer'], ['Bearer unknown'], ['Bearer a b'], [`Bearer ${'a'.repeat(5000)}`]])(
    'credential %s gives 401',
    async (authorization) => {
      const response = await call('/level/read', authorization ? { headers: { authorization } } : {});
      expect(response.status).toBe(401);
      expect(await problemOf(response)).toMatchObject({ code: 'unauthenticated', status: 401, request_id: 'made-id' });
    },
  );
});
