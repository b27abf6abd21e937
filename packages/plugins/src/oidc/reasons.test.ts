import { readFileSync } from 'node:fs';
import { noConsumers } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { TOKEN_LENGTH_MAX } from '../shared/claims/presented-token.ts';
import { FETCH_PAUSE_MS } from '../shared/jwt/remote-keys.ts';
import { localOutbound, startKeyServer } from '../testing/key-server.ts';
import { PluginBench } from '../testing/plugin-bench.ts';
import { makeKey, makeToken } from '../testing/tokens.ts';
import { oidc } from './index.ts';

const NOW = Date.UTC(2026, 0, 1) / 1000;
const known = makeKey('p256');
const claims = { iss: 'https://issuer.test/', aud: 'api', sub: 'canary', scope: 'read', exp: NOW + 3600 };
const config = {
  issuer: claims.iss,
  audience: claims.aud,
  public_key: JSON.stringify({ keys: [{ ...known.jwk, kid: 'k1' }] }),
  required_scopes: ['read'],
};
const consumers = { ...noConsumers, findConsumer: (name: string) => (name === 'gone' ? 'disabled' : undefined) };

type Named = Readonly<Record<string, unknown>>;
const tokenOf = (more: Named = {}, header: Named = {}, by = known) =>
  makeToken({ alg: 'ES256', kid: 'k1', ...header }, { ...claims, ...more }, by.privateKey, 'ES256');
const bearing = (token: string) => ['Authorization', `Bearer ${token}`];

/** A bench with all that it said at level `debug`. */
function watched(more: object = {}, host: object = {}) {
  const lines: unknown[] = [];
  const log = { debug: (...line: unknown[]) => void lines.push(line), warn: () => undefined, error: () => undefined };
  return { bench: new PluginBench(oidc, { ...config, ...more }, { ...host, log }), lines };
}

const lineOf = (reason: string): unknown => [
  'refused a request',
  { reason, request_id: 'r1', plugin: 'oidc', instance: expect.any(String) as unknown },
];

const refused: readonly (readonly [string, readonly string[]])[] = [
  ['no_token', []],
  ['other_scheme', ['Authorization', 'Basic Y2FuYXJ5Og==']],
  ['several_tokens', [...bearing(tokenOf()), ...bearing(tokenOf())]],
  ['token_too_long', bearing('c'.repeat(TOKEN_LENGTH_MAX + 1))],
  ['malformed_header', bearing('canary canary')],
  ['malformed_token', bearing('canary')],
  ['algorithm', bearing(tokenOf({}, { alg: 'none' }))],
  ['algorithm', bearing(tokenOf({}, { alg: 'ES384' }))],
  ['unsupported_header', bearing(tokenOf({}, { crit: ['exp'] }))],
  ['type', bearing(tokenOf({}, { typ: 'logout+jwt' }))],
  ['type', bearing(tokenOf({ token_use: 'refresh' }))],
  ['unknown_key_id', bearing(tokenOf({}, { kid: 'canary' }))],
  ['signature', bearing(tokenOf({}, {}, makeKey('p256')))],
  ['signature', bearing(tokenOf({}, { kid: undefined }, makeKey('p256')))],
  ['no_expiry', bearing(tokenOf({ exp: undefined }))],
  ['expired', bearing(tokenOf({ exp: NOW - 60 }))],
  ['not_yet_valid', bearing(tokenOf({ nbf: NOW + 60 }))],
  ['malformed_time', bearing(tokenOf({ exp: (NOW + 3600) * 1000 }))],
  ['issuer', bearing(tokenOf({ iss: 'https://canary.test/' }))],
  ['audience', bearing(tokenOf({ aud: 'canary' }))],
  ['subject', bearing(tokenOf({ sub: 1 }))],
  ['insufficient_scope', bearing(tokenOf({ scope: 'canary' }))],
  ['consumer_disabled', bearing(tokenOf({ sub: 'gone' }))],
];

describe('the reasons of oidc', () => {
  it.each(refused)('tell the operator who asks for them: %s', async (reason, headers) => {
    const { bench, lines } = watched();
    expect((await bench.request({ headers, consumers })).result).toBe('respond');
    expect(lines).toEqual([lineOf(reason)]);
  });

  it('are the same for a token that is seen again', async () => {
    const { bench, lines } = watched();
    const request = { headers: bearing(tokenOf({ scope: 'none' })), consumers };
    for (let turn = 0; turn < 2; turn += 1) await bench.request(request);
    expect(lines).toEqual([lineOf('insufficient_scope'), lineOf('insufficient_scope')]);
  });

  it('name the issuer where it cannot be asked for a key', async () => {
    const server = await startKeyServer({ ...known.jwk, kid: 'k1' });
    const { bench, lines } = watched({ public_key: server.url }, { outbound: localOutbound });
    expect((await bench.request({ headers: bearing(tokenOf()), consumers })).result).toBe('continue');
    await server.close();
    bench.clock.advance(FETCH_PAUSE_MS);
    const { exchange } = await bench.request({ headers: bearing(tokenOf({}, { kid: 'new' })), consumers });
    expect(exchange.response.status).toBe(503);
    expect(lines).toEqual([lineOf('issuer_unavailable')]);
  });

  it('are explained where operators look', () => {
    const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
    for (const reason of [...refused.map(([word]) => word), 'issuer_unavailable']) {
      expect(readme).toContain(`| \`${reason}\``);
    }
  });
});
