import { describe, expect, it } from 'vitest';
import { canonicalConfig, secretPathsOf } from '../index.ts';
import { sessionCookieAuth } from './index.ts';
import { SESSIONS_MAX } from './config.ts';

function mistakesIn(config: unknown): readonly string[] {
  const compiled = sessionCookieAuth.plugin.compile(config);
  return compiled.ok ? [] : compiled.issues.map(({ pointer, message }) => `${pointer} ${message}`);
}

const many = Array.from({ length: SESSIONS_MAX + 1 }, (_, index) => `sid-${index}`);
const fields = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, index]));

describe('configs of session_cookie_auth', () => {
  it.each<[string, unknown, string]>([
    ['no sessions', {}, ' needs at least one of valid_session_ids, valid_sessions'],
    ['IDs that are no list', { valid_session_ids: 'sid' }, '/valid_session_ids must be a list of session IDs'],
    ['an empty ID', { valid_session_ids: [''] }, '/valid_session_ids/0 must have at least 1 characters'],
    ['a long ID', { valid_session_ids: ['a'.repeat(4097)] }, '/valid_session_ids/0 must have at most 4096 characters'],
    [
      'an ID that no cookie holds',
      { valid_session_ids: ['a;b'] },
      '/valid_session_ids/0 must be printable ASCII without space and semicolon, as a cookie is',
    ],
    ['too many IDs', { valid_session_ids: many }, '/valid_session_ids must have at most 10000 entries'],
    ['a session without ID', { valid_sessions: [{}] }, '/valid_sessions/0/id is required'],
    ['a session that is none', { valid_sessions: ['sid'] }, '/valid_sessions/0 must be an object'],
    ['a list of lists', { valid_sessions: [[]] }, '/valid_sessions/0 must be an object, not a list'],
    [
      'a session with too many fields',
      { valid_sessions: { sid: fields } },
      '/valid_sessions/0 must have at most 50 fields',
    ],
    [
      'a session with two IDs',
      { valid_sessions: { sid: { id: 'x' } } },
      '/valid_sessions must be a list of sessions with `id`, or a map by ID of sessions that have no `id`',
    ],
    [
      'sessions that are neither',
      { valid_sessions: 'sid' },
      '/valid_sessions must be a list of sessions with `id`, or a map by ID of sessions that have no `id`',
    ],
    [
      'roles that are no list',
      { valid_sessions: { sid: { roles: 'a' } } },
      '/valid_sessions/0/roles must be a list of names',
    ],
    [
      'a consumer that is no text',
      { valid_sessions: [{ id: 'sid', consumer: 1 }] },
      '/valid_sessions/0/consumer must be text',
    ],
    [
      'a time without a zone',
      { valid_sessions: { sid: { expires_at: '2026-01-01T00:00:00' } } },
      '/valid_sessions/0/expires_at must be an RFC 3339 time such as 2026-01-31T09:30:00Z',
    ],
    [
      'a time that is none',
      { valid_sessions: { sid: { expires_at: '2026-13-01T00:00:00Z' } } },
      '/valid_sessions/0/expires_at must be a time that there is',
    ],
    [
      'a cookie name that is none',
      { valid_session_ids: [], cookie_name: 'a b' },
      '/cookie_name must be the name of a cookie',
    ],
    ['a header name that is none', { valid_session_ids: [], header_name: 'a:' }, '/header_name must be a header name'],
    [
      'a flag that is none',
      { valid_session_ids: [], hide_credentials: 'yes' },
      '/hide_credentials must be true or false',
    ],
    [
      'an identity to write',
      { valid_session_ids: [], upstream_headers: { 'X-Consumer-ID': 'a' } },
      '/upstream_headers/X-Consumer-ID names a header in which the gateway itself says who the consumer is',
    ],
    ['an unknown field', { valid_session_ids: [], secret: 's' }, '/secret is no field of this plugin'],
  ])('are refused with %s, and no ID is told', (_name, config, mistake) => {
    const mistakes = mistakesIn(config);
    expect(mistakes).toContain(mistake);
    expect(new Set(mistakes).size).toBe(mistakes.length);
  });

  it('may have no session at all: then nobody passes', () => {
    expect([mistakesIn({ valid_session_ids: [] }), mistakesIn({ valid_sessions: {} })]).toEqual([[], []]);
  });

  it('are kept with sessions in a list, whose IDs are secrets', () => {
    const config = { valid_sessions: { 'sid-1': { roles: ['a'] }, 'sid-2': {} }, valid_session_ids: ['sid-3'] };
    const kept = canonicalConfig('session_cookie_auth', config);
    expect(kept).toEqual({
      valid_sessions: [{ id: 'sid-1', roles: ['a'] }, { id: 'sid-2' }],
      valid_session_ids: ['sid-3'],
    });
    expect(secretPathsOf('session_cookie_auth', kept)).toEqual([
      '/valid_sessions/0/id',
      '/valid_sessions/1/id',
      '/valid_session_ids/0',
    ]);
  });
});
