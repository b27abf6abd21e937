import { describe, expect, it } from 'vitest';
import { PluginBench } from '../testing/plugin-bench.ts';
import { sessionCookieAuth } from './index.ts';

async function headersAfter(config: object, headers: readonly string[]): Promise<string[]> {
  const { exchange, result } = await new PluginBench(sessionCookieAuth, config).request({ headers });
  expect(result).toBe('continue');
  const lines: string[] = [];
  exchange.request.headers.forEach((name, value) => lines.push(`${name.toLowerCase()}: ${value}`));
  return lines;
}

describe('what the upstream gets', () => {
  const hiding = { valid_session_ids: ['sid'], hide_credentials: true, header_name: 'x-session' };

  it.each([
    ['nothing of the only cookie', ['cookie', 'session=sid'], []],
    ['the cookies behind it', ['cookie', 'session=sid; a=1;  b=2'], ['cookie: a=1;  b=2']],
    ['the cookies before it', ['cookie', 'a=1 ;b="x y"; session=sid'], ['cookie: a=1 ;b="x y"']],
    ['the cookies around it', ['cookie', 'a=1;session=sid;b=2;'], ['cookie: a=1;b=2;']],
    [
      'odd cookies as they came',
      ['cookie', '=x; c;;session= sid ; d==%3B; sessionx=1'],
      ['cookie: =x; c;; d==%3B; sessionx=1'],
    ],
    ['lines as they came', ['cookie', 'a=1', 'cookie', 'session=sid', 'cookie', 'b=2'], ['cookie: a=1', 'cookie: b=2']],
    ['no header', ['x-session', 'sid', 'cookie', 'a=1'], ['cookie: a=1']],
    ['no header beside the cookie either', ['x-session', 'other', 'cookie', 'session=sid'], []],
  ])('is, with hide_credentials, %s', async (_name, headers, left) => {
    expect(await headersAfter(hiding, headers)).toEqual(left);
  });

  it("is fields of the session instead of the client's headers of those names", async () => {
    const config = {
      valid_sessions: { sid: { username: 'kim', roles: ['editor', 'viewer'], address: { country: 'DE' } } },
      upstream_headers: {
        'X-User': 'username',
        'X-Roles': 'roles',
        'X-Country': 'address.country',
        'X-Mail': 'mail',
        'X-ID': 'id',
      },
    };
    const forged = ['x-user', 'root', 'X-Roles', 'admin', 'X-Mail', 'root@a.test', 'x-mail', 'b', 'x-id', 'c'];
    const lines = await headersAfter(config, ['cookie', 'session=sid', ...forged]);
    expect(lines.toSorted()).toEqual([
      'cookie: session=sid',
      'x-country: DE',
      'x-roles: editor, viewer',
      'x-user: kim',
    ]);
  });

  it('is nothing under those names where only the ID is known', async () => {
    const config = { valid_session_ids: ['sid'], upstream_headers: { 'X-User': 'username' } };
    expect(await headersAfter(config, ['cookie', 'session=sid', 'x-user', 'root'])).toEqual(['cookie: session=sid']);
  });
});
