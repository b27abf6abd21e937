import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { compileUpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import type { Config } from './config.ts';
import { sessionCookieAuth } from './index.ts';
import { compileSessions, findSession } from './session-table.ts';

it('finds sessions by the digests of their IDs and keeps no ID, so that the time of a look-up tells nothing of one', () => {
  const config = {
    valid_sessions: [{ id: 'first-id-0123456789', consumer: 'ann' }],
    valid_session_ids: ['other-id-0123'],
  };
  expect(sessionCookieAuth.plugin.compile(config)).toMatchObject({ ok: true });
  const table = compileSessions(config as Config, compileUpstreamHeaders());
  expect([findSession(table, 'first-id-0123456789'), findSession(table, 'other-id-0123')]).toMatchObject([
    { consumer: 'ann' },
    { consumer: undefined },
  ]);
  expect(findSession(table, 'first-id-012345678')).toBeUndefined();
  expect(inspect(table, { depth: null })).not.toMatch(/first-id|other-id/);
  // Whoever saw the table has nothing to present.
  expect([...table.keys()].map((digest) => findSession(table, digest))).toEqual([undefined, undefined]);
});
