import type { ConsumerDirectory } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { exchangeOf, PluginBench, problemOf, type TestRequest } from '../testing/plugin-bench.ts';
import { sessionCookieAuth } from './index.ts';

const acme = { id: 'c1', username: 'acme', groups: ['gold'] };

const consumers: ConsumerDirectory = {
  ...exchangeOf({}).consumers,
  findConsumer: (reference) => ({ acme, gone: 'disabled' as const })[reference],
};

const kim = { id: 'sid-kim', consumer: 'acme', groups: ['staff'], roles: ['editor', 'viewer'], username: 'kim' };

function ask(config: object, request: TestRequest) {
  return new PluginBench(sessionCookieAuth, config).request({ consumers, ...request });
}

const both = { valid_sessions: [kim], valid_session_ids: ['sid-plain'], header_name: 'X-Session' };

describe('session_cookie_auth', () => {
  it.each([
    ['nothing', []],
    ['an unknown session', ['cookie', 'session=guess']],
    ['an empty session', ['cookie', 'session=']],
    ['a prefix of a session', ['cookie', 'session=sid-pla']],
    ['the session in another cookie', ['cookie', 'sessions=sid-plain; a=sid-plain']],
    ['a cookie whose name is written otherwise', ['cookie', 'Session=sid-plain']],
    ['a name without a value', ['cookie', 'session; sid-plain']],
    ['a session in quotes', ['cookie', 'session="sid-plain"']],
    ['two such cookies', ['cookie', 'session=sid-plain; session=sid-plain']],
    ['two such cookies, one empty', ['cookie', 'session=; session=sid-plain']],
    ['two such cookies in two lines', ['cookie', 'session=sid-plain', 'cookie', 'session=sid-kim']],
    ['two such cookies, one with spaces', ['cookie', 'session=sid-plain; session =sid-kim']],
    ['two headers', ['x-session', 'sid-plain', 'X-Session', 'sid-plain']],
    ['a cookie that is wrong with a header that is right', ['cookie', 'session=guess', 'x-session', 'sid-plain']],
    ['a session that is too long', ['cookie', `session=${'a'.repeat(4097)}`]],
    ['a name that every object has', ['cookie', 'session=constructor']],
  ])('refuses %s with 401, a challenge and no word about the ID', async (_name, headers) => {
    const { result, exchange } = await ask(both, { headers });
    expect([result, exchange.response.status, exchange.consumer]).toEqual(['respond', 401, undefined]);
    expect(exchange.response.headers.get('www-authenticate')).toBe('Cookie realm="api", cookie-name="session"');
    expect(problemOf(exchange)).toMatchObject({ code: 'unauthenticated', request_id: 'r1' });
    expect(JSON.stringify(problemOf(exchange))).not.toMatch(/guess|sid-/);
  });

  it.each([
    ['a cookie', ['cookie', 'session=sid-plain']],
    ['a cookie among others', ['cookie', 'a=1;session=sid-plain; b="x;']],
    ['a cookie in a second line', ['cookie', 'a=1', 'cookie', 'session=sid-plain']],
    ['a header', ['X-SESSION', 'sid-plain']],
    ['a header beside other cookies', ['cookie', 'a=1', 'x-session', 'sid-plain']],
    ['a cookie whatever the header says', ['cookie', 'session=sid-plain', 'x-session', 'guess']],
  ])('lets a session pass in %s, and leaves it where it is', async (_name, headers) => {
    const { result, exchange } = await ask(both, { headers });
    expect([result, exchange.consumer]).toEqual(['continue', undefined]);
    expect(exchange.request.headers.getAll(headers[0] ?? '')).toEqual(
      exchangeOf({ headers }).request.headers.getAll(headers[0] ?? ''),
    );
  });

  it('knows no header unless one is set', async () => {
    const { result } = await ask({ valid_session_ids: ['sid'] }, { headers: ['x-session', 'sid'] });
    expect(result).toBe('respond');
  });

  it("identifies a session's consumer with the session's groups, and by name where the tenant has none", async () => {
    const headers = ['cookie', 'session=sid-kim'];
    expect((await ask(both, { headers })).exchange.consumer).toEqual({ ...acme, groups: ['gold', 'staff'] });
    const other = { valid_sessions: [{ id: 'sid-kim', consumer: 'other', groups: ['staff'] }] };
    expect((await ask(other, { headers })).exchange.consumer).toEqual({ id: 'other', groups: ['staff'] });
    const known = { valid_sessions: [{ id: 'sid-kim', consumer: 'acme', groups: ['gold'] }] };
    expect((await ask(known, { headers })).exchange.consumer).toEqual(acme);
  });

  it.each([
    ['every role', { required_roles: ['viewer', 'editor'] }, 'continue'],
    ['not every role', { required_roles: ['viewer', 'admin'] }, 'respond'],
    ['a role that is a group', { required_roles: ['staff'] }, 'respond'],
    ["a group of the session and one of the consumer's record", { required_groups: ['staff', 'gold'] }, 'continue'],
    ['not every group', { required_groups: ['staff', 'silver'] }, 'respond'],
    ['nothing that is required', { required_groups: [], required_roles: [] }, 'continue'],
  ])('asks for %s', async (_name, required, expected) => {
    const { result, exchange } = await ask({ ...both, ...required }, { headers: ['cookie', 'session=sid-kim'] });
    expect(result).toBe(expected);
    if (expected === 'continue') return;
    expect(problemOf(exchange)).toMatchObject({ status: 403, code: 'forbidden' });
    expect(exchange.response.headers.has('www-authenticate')).toBe(false);
  });

  it('knows no role and no group of an ID alone', async () => {
    const headers = ['cookie', 'session=sid-plain'];
    expect((await ask({ ...both, required_roles: ['viewer'] }, { headers })).exchange.response.status).toBe(403);
    expect((await ask({ ...both, required_groups: ['gold'] }, { headers })).exchange.response.status).toBe(403);
  });

  it('refuses a session from the millisecond in which it expires', async () => {
    const expires_at = new Date(Date.UTC(2026, 0, 1) + 60_000).toISOString();
    const bench = new PluginBench(sessionCookieAuth, { valid_sessions: { sid: { expires_at } } });
    const result = async () => (await bench.request({ headers: ['cookie', 'session=sid'] })).result;
    bench.clock.advance(59_999);
    expect(await result()).toBe('continue');
    bench.clock.advance(1);
    expect(await result()).toBe('respond');
  });

  it('refuses the session of a consumer that is disabled, whatever roles and groups it has', async () => {
    const disabled = { valid_sessions: [{ ...kim, consumer: 'gone' }], required_groups: ['staff'] };
    const { exchange } = await ask(disabled, { headers: ['cookie', 'session=sid-kim'] });
    expect([exchange.response.status, exchange.consumer]).toEqual([401, undefined]);
  });

  it('lets the first session of an ID count, and an ID alone last', async () => {
    const config = { valid_session_ids: ['sid'], valid_sessions: [{ id: 'sid', consumer: 'acme' }, { id: 'sid' }] };
    const { exchange } = await ask(config, { headers: ['cookie', 'session=sid'] });
    expect(exchange.consumer).toEqual(acme);
  });
});
