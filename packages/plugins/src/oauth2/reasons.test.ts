import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { noConsumers } from '@portcullis/plugin-runtime';
import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKEN_LENGTH_MAX } from '../shared/claims/presented-token.ts';
import { FAILURES_MAX } from '../shared/failure-budget.ts';
import { WAITING_PER_SITE_MAX } from '../shared/waiting-room.ts';
import { answer, startIntrospectionServer, type IntrospectionServer } from '../testing/introspection-server.ts';
import { localOutbound } from '../testing/key-server.ts';
import { PluginBench } from '../testing/plugin-bench.ts';
import { oauth2 } from './index.ts';

const NOW = Date.UTC(2026, 0, 1) / 1000;
const consumers = { ...noConsumers, findConsumer: (name: string) => (name === 'gone' ? 'disabled' : undefined) };
const bearing = (token: string) => ['Authorization', `Bearer ${token}`];

let server: IntrospectionServer;
beforeAll(async () => {
  server = await startIntrospectionServer();
  server.say('later', { active: true, nbf: NOW + 60 });
  server.say('ended', { active: true, exp: NOW });
  server.say('scopeless', { active: true });
  server.say('of-gone', { active: true, scope: 'read', sub: 'gone' });
  server.say('strange', { active: 'canary' });
});
afterAll(() => server.close());

/** A bench with the reasons that it gave, and what it was about. */
function watched(more: object = {}) {
  const lines: unknown[] = [];
  const log = { debug: (...line: unknown[]) => void lines.push(line), warn: () => undefined, error: () => undefined };
  const config = { introspection_url: server.url, timeout_seconds: 30, required_scopes: ['read'], ...more };
  return { bench: new PluginBench(oauth2, config, { outbound: localOutbound, log }), lines };
}

const lineOf = (reason: string): unknown => [
  'refused a request',
  { reason, request_id: 'r1', plugin: 'oauth2', instance: expect.any(String) as unknown },
];

const local = {
  introspection_url: undefined,
  valid_tokens: [{ token: 'old', expires_at: '2025-12-31T00:00:00Z' }, { token: 'owned', consumer: 'gone' }, 'plain'],
};

const refused: readonly [reason: string, headers: readonly string[], config?: object][] = [
  ['no_token', []],
  ['other_scheme', ['Authorization', 'Basic Y2FuYXJ5Og==']],
  ['several_tokens', [...bearing('canary'), ...bearing('canary')]],
  ['token_too_long', bearing('c'.repeat(TOKEN_LENGTH_MAX + 1))],
  ['malformed_header', bearing('canary canary')],
  ['unknown_token', bearing('canary'), local],
  ['expired', bearing('old'), local],
  ['insufficient_scope', bearing('plain'), local],
  ['consumer_disabled', bearing('owned'), { ...local, required_scopes: [] }],
  ['inactive', bearing('canary')],
  ['not_yet_valid', bearing('later')],
  ['expired', bearing('ended')],
  ['insufficient_scope', bearing('scopeless')],
  ['consumer_disabled', bearing('of-gone')],
  ['undecided', bearing('strange')],
];

describe('the reasons of oauth2', () => {
  it.each<(typeof refused)[number]>(refused)(
    'tell the operator who asks for them, each time: %s',
    async (reason, headers, more) => {
      const { bench, lines } = watched(more);
      for (let turn = 1; turn <= 2; turn += 1) {
        expect((await bench.request({ headers, consumers })).result).toBe('respond');
        expect(lines).toEqual(Array.from({ length: turn }, () => lineOf(reason)));
      }
    },
  );

  it('say which of two limits a client is at', async () => {
    await using busy = await startIntrospectionServer();
    const { bench, lines } = watched({ introspection_url: busy.url });
    for (let index = 0; index <= FAILURES_MAX; index += 1) await bench.request({ headers: bearing(`guess${index}`) });
    expect(lines).toEqual([
      ...Array.from({ length: FAILURES_MAX }, () => lineOf('inactive')),
      lineOf('too_many_inactive'),
    ]);
    const held: ServerResponse[] = [];
    busy.answerWith((res) => void held.push(res));
    const others = { headers: bearing('good'), clientIp: '198.51.100.1' };
    const waiting = Array.from({ length: WAITING_PER_SITE_MAX }, () => bench.request(others));
    await bench.request(others);
    expect(lines.slice(FAILURES_MAX + 1)).toEqual([lineOf('too_many_waiting')]);
    await eventually(() => held.length === 1);
    for (const res of held) answer(res, { active: true, scope: 'read' });
    expect((await Promise.all(waiting)).map(({ result }) => result)).toEqual(waiting.map(() => 'continue'));
  });

  it('are explained where operators look', () => {
    const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
    for (const reason of [...refused.map(([word]) => word), 'too_many_inactive', 'too_many_waiting']) {
      expect(readme).toContain(`| \`${reason}\``);
    }
  });
});
