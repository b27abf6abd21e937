import { readFileSync } from 'node:fs';
import { noConsumers, type JwtCredential } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { TOKEN_LENGTH_MAX } from '../shared/claims/presented-token.ts';
import { PluginBench } from '../testing/plugin-bench.ts';
import { makeToken } from '../testing/tokens.ts';
import { jwtAuth } from './index.ts';

const NOW = Date.UTC(2026, 0, 1) / 1000;
const SECRET = 'a secret of 32 bytes or of more..';
const claims = { iss: 'app', aud: 'api', scope: 'read', exp: NOW + 3600, nbf: NOW };
const config = {
  audience: 'api',
  required_scopes: ['read'],
  claims_to_verify: ['nbf'],
  maximum_expiration_seconds: 7200,
};

const consumer = { id: 'c1', groups: [] };
const credentials = new Map<string, JwtCredential>([
  ['app', { match: { consumer }, algorithm: 'HS256', secret: SECRET }],
  ['old', { match: { consumer, expiresAtMs: NOW * 1000 }, algorithm: 'HS256', secret: SECRET }],
  ['keyless', { match: { consumer }, algorithm: 'HS256' }],
]);
const consumers = { ...noConsumers, findJwt: (name: string) => credentials.get(name) };

type Named = Readonly<Record<string, unknown>>;
const tokenOf = (more: Named = {}, header: Named = {}, secret = SECRET) =>
  makeToken({ alg: 'HS256', ...header }, { ...claims, ...more }, secret, 'HS256');
const bearing = (token: string) => ['Authorization', `Bearer ${token}`];

const refused: readonly (readonly [string, readonly string[]])[] = [
  ['no_token', []],
  ['other_scheme', ['Authorization', 'Basic Y2FuYXJ5Og==']],
  ['several_tokens', [...bearing(tokenOf()), ...bearing(tokenOf())]],
  ['token_too_long', bearing('c'.repeat(TOKEN_LENGTH_MAX + 1))],
  ['malformed_header', bearing('canary canary')],
  ['malformed_token', bearing('canary')],
  ['algorithm', bearing(tokenOf({}, { alg: 'HS512' }))],
  ['unsupported_header', bearing(tokenOf({}, { crit: ['exp'] }))],
  ['type', bearing(tokenOf({}, { typ: 'logout+jwt' }))],
  ['no_expiry', bearing(tokenOf({ exp: undefined }))],
  ['expired', bearing(tokenOf({ exp: NOW - 60 }))],
  ['too_long_lived', bearing(tokenOf({ exp: NOW + 7300 }))],
  ['missing_claim', bearing(tokenOf({ nbf: undefined }))],
  ['not_yet_valid', bearing(tokenOf({ nbf: NOW + 60 }))],
  ['malformed_time', bearing(tokenOf({ exp: (NOW + 3600) * 1000 }))],
  ['audience', bearing(tokenOf({ aud: 'canary' }))],
  ['no_issuer', bearing(tokenOf({ iss: undefined }))],
  ['unknown_issuer', bearing(tokenOf({ iss: 'canary' }))],
  ['credential_expired', bearing(tokenOf({ iss: 'old' }))],
  ['unusable_credential', bearing(tokenOf({ iss: 'keyless' }))],
  ['signature', bearing(tokenOf({}, {}, 'another secret of 32 or more bytes'))],
  ['insufficient_scope', bearing(tokenOf({ scope: 'canary' }))],
];

describe('the reasons of jwt_auth', () => {
  it.each(refused)('tell the operator who asks for them: %s', async (reason, headers) => {
    const lines: unknown[] = [];
    const log = { debug: (...line: unknown[]) => void lines.push(line), warn: () => undefined, error: () => undefined };
    const bench = new PluginBench(jwtAuth, config, { log });
    const instance = expect.any(String) as unknown;
    for (let turn = 1; turn <= 2; turn += 1) {
      expect((await bench.request({ headers, consumers })).result).toBe('respond');
      const line = ['refused a request', { reason, request_id: 'r1', plugin: 'jwt_auth', instance }];
      expect(lines).toEqual(Array.from({ length: turn }, () => line));
    }
  });

  it('are explained where operators look', () => {
    const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
    for (const [reason] of refused) expect(readme).toContain(`| \`${reason}\``);
  });
});
