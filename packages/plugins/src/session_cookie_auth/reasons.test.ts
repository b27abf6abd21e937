import { readFileSync } from 'node:fs';
import { noConsumers } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { PluginBench } from '../testing/plugin-bench.ts';
import { SESSION_ID_LENGTH_MAX } from './config.ts';
import { sessionCookieAuth } from './index.ts';

const config = {
  header_name: 'X-Session',
  required_groups: ['staff'],
  required_roles: ['editor'],
  valid_sessions: [
    { id: 'sid-old', expires_at: '2025-12-31T00:00:00Z' },
    { id: 'sid-gone', consumer: 'gone', groups: ['staff'], roles: ['editor'] },
    { id: 'sid-viewer', groups: ['staff'], roles: ['viewer'] },
    { id: 'sid-guest', groups: ['guests'], roles: ['editor'] },
  ],
};
const consumers = { ...noConsumers, findConsumer: () => 'disabled' as const };

const refused: readonly (readonly [string, readonly string[]])[] = [
  ['no_session', []],
  ['no_session', ['cookie', 'session=']],
  ['no_session', ['cookie', 'canary=sid-viewer', 'x-session', '']],
  ['several_cookies', ['cookie', 'session=canary; session=canary']],
  ['several_headers', ['x-session', 'canary', 'x-session', 'canary']],
  ['session_too_long', ['cookie', `session=${'c'.repeat(SESSION_ID_LENGTH_MAX + 1)}`]],
  ['unknown_session', ['cookie', 'session=canary']],
  ['session_expired', ['cookie', 'session=sid-old']],
  ['consumer_disabled', ['cookie', 'session=sid-gone']],
  ['missing_role', ['cookie', 'session=sid-viewer']],
  ['missing_group', ['x-session', 'sid-guest']],
];

describe('the reasons of session_cookie_auth', () => {
  it.each(refused)('tell the operator who asks for them: %s', async (reason, headers) => {
    const lines: unknown[] = [];
    const log = { debug: (...line: unknown[]) => void lines.push(line), warn: () => undefined, error: () => undefined };
    const bench = new PluginBench(sessionCookieAuth, config, { log });
    expect((await bench.request({ headers, consumers })).result).toBe('respond');
    const instance = expect.any(String) as unknown;
    expect(lines).toEqual([
      ['refused a request', { reason, request_id: 'r1', plugin: 'session_cookie_auth', instance }],
    ]);
  });

  it('are explained where operators look', () => {
    const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
    for (const [reason] of refused) expect(readme).toContain(`| \`${reason}\``);
  });
});
