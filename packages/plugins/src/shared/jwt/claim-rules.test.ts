import { describe, expect, it } from 'vitest';
import { goodUntilMs, LEEWAY_SECONDS, NUMERIC_DATE_MAX, type ClaimRules } from './claim-rules.ts';

const NOW = Date.UTC(2026, 0, 1) / 1000;
const until = (claims: string | Readonly<Record<string, unknown>>, rules: ClaimRules = {}) =>
  goodUntilMs(
    (typeof claims === 'string' ? JSON.parse(claims) : claims) as Readonly<Record<string, unknown>>,
    rules,
    NOW * 1000,
  );
const faultOf = (result: ReturnType<typeof until>) => (typeof result === 'string' ? result : undefined);

describe('times of a token', () => {
  it('are good until exp and the leeway', () => {
    expect(LEEWAY_SECONDS).toBeLessThanOrEqual(60);
    expect(until({ exp: NOW + 60 })).toBe((NOW + 60 + LEEWAY_SECONDS) * 1000);
    expect(until({ exp: NOW + 0.5 })).toBe((NOW + 0.5 + LEEWAY_SECONDS) * 1000);
  });

  it.each<[string, string, string | undefined]>([
    ['the last moment', `{"exp":${NOW - LEEWAY_SECONDS + 0.001}}`, undefined],
    ['a moment later', `{"exp":${NOW - LEEWAY_SECONDS}}`, 'expired'],
    ['no exp', '{}', 'no_expiry'],
    ['exp that is null', '{"exp":null}', 'malformed_time'],
    ['exp that is text', `{"exp":"${NOW + 60}"}`, 'malformed_time'],
    ['exp that is true', '{"exp":true}', 'malformed_time'],
    ['exp in a list', `{"exp":[${NOW + 60}]}`, 'malformed_time'],
    ['exp that is infinite', '{"exp":1e400}', 'malformed_time'],
    ['exp that is minus infinite', '{"exp":-1e400}', 'malformed_time'],
    ['exp in milliseconds', `{"exp":${NOW * 1000}}`, 'malformed_time'],
    ['the last exp', `{"exp":${NUMERIC_DATE_MAX}}`, undefined],
    ['an exp beyond', `{"exp":${NUMERIC_DATE_MAX + 1}}`, 'malformed_time'],
    ['a negative exp', '{"exp":-1}', 'malformed_time'],
    ['nbf that has come', `{"exp":${NOW + 60},"nbf":${NOW}}`, undefined],
    ['nbf within the leeway', `{"exp":${NOW + 60},"nbf":${NOW + LEEWAY_SECONDS}}`, undefined],
    ['nbf beyond the leeway', `{"exp":${NOW + 600},"nbf":${NOW + LEEWAY_SECONDS + 0.5}}`, 'not_yet_valid'],
    ['nbf that is text', `{"exp":${NOW + 60},"nbf":"${NOW}"}`, 'malformed_time'],
    ['nbf that is null', `{"exp":${NOW + 60},"nbf":null}`, 'malformed_time'],
    ['iat in the past', `{"exp":${NOW + 60},"iat":${NOW - 60}}`, undefined],
    ['iat in the future', `{"exp":${NOW + 600},"iat":${NOW + 60}}`, 'not_yet_valid'],
    ['iat that is infinite', `{"exp":${NOW + 60},"iat":1e400}`, 'malformed_time'],
  ])('%s', (_name, claims, fault) => {
    expect(faultOf(until(claims))).toBe(fault);
  });

  it('have to be there where that is asked for', () => {
    const rules = { required: ['exp', 'nbf'] };
    expect([until({ exp: NOW + 60 }, rules), until({ nbf: NOW }, rules)]).toEqual(['missing_claim', 'no_expiry']);
    expect(until({ exp: NOW + 60, nbf: NOW }, rules)).toBeTypeOf('number');
  });

  it('may be bounded', () => {
    const rules = { lifetimeMaxSeconds: 3600 };
    expect(until({ exp: NOW + 3600 + LEEWAY_SECONDS }, rules)).toBeTypeOf('number');
    expect(until({ exp: NOW + 3601 + LEEWAY_SECONDS }, rules)).toBe('too_long_lived');
  });
});

describe('names of a token', () => {
  const rules = { issuer: 'https://issuer.test/', audiences: ['a', 'b'] };
  const good = { exp: NOW + 60, iss: 'https://issuer.test/', aud: 'a' };

  it.each<[string, Readonly<Record<string, unknown>>, string | undefined]>([
    ['as wanted', {}, undefined],
    ['another audience of the list', { aud: 'b' }, undefined],
    ['several audiences', { aud: ['x', 'b'] }, undefined],
    ['other audiences', { aud: ['x', 'y'] }, 'audience'],
    ['no audience in a list', { aud: [] }, 'audience'],
    ['an audience within a list within the list', { aud: [['a']] }, 'audience'],
    ['an audience beside something else', { aud: ['a', 1] }, 'audience'],
    ['an audience in an object', { aud: { 0: 'a' } }, 'audience'],
    ['no audience', { aud: undefined }, 'audience'],
    ['a longer audience', { aud: 'a b' }, 'audience'],
    ['another issuer', { iss: 'https://other.test/' }, 'issuer'],
    ['an issuer without the slash', { iss: 'https://issuer.test' }, 'issuer'],
    ['an issuer in another case', { iss: 'https://Issuer.test/' }, 'issuer'],
    ['an issuer in a list', { iss: ['https://issuer.test/'] }, 'issuer'],
    ['no issuer', { iss: undefined }, 'issuer'],
    ['the use of access', { token_use: 'access', typ: 'Bearer' }, undefined],
    ['the use of a refresh token', { token_use: 'refresh' }, 'type'],
    ['the type of a refresh token', { typ: 'Refresh' }, 'type'],
    ['the type of an offline token', { typ: 'Offline' }, 'type'],
    ['the type of a logout token', { typ: 'Logout' }, 'type'],
  ])('%s', (_name, claims, fault) => {
    expect(faultOf(until({ ...good, ...claims }, rules))).toBe(fault);
  });

  it('count only where the rules say so', () => {
    expect(until({ exp: NOW + 60, iss: 1, aud: {} })).toBeTypeOf('number');
  });
});
