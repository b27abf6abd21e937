import { describe, expect, it } from 'vitest';
import { goodUntilMs, LEEWAY_SECONDS, NUMERIC_DATE_MAX, type ClaimRules } from './claim-rules.ts';

const NOW = Date.UTC(2026, 0, 1) / 1000;
const until = (claims: string | Readonly<Record<string, unknown>>, rules: ClaimRules = {}) =>
  goodUntilMs(
    (typeof claims === 'string' ? JSON.parse(claims) : claims) as Readonly<Record<string, unknown>>,
    rules,
    NOW * 1000,
  );

describe('times of a token', () => {
  it('are good until exp and the leeway', () => {
    expect(LEEWAY_SECONDS).toBeLessThanOrEqual(60);
    expect(until({ exp: NOW + 60 })).toBe((NOW + 60 + LEEWAY_SECONDS) * 1000);
    expect(until({ exp: NOW + 0.5 })).toBe((NOW + 0.5 + LEEWAY_SECONDS) * 1000);
  });

  it.each<[string, string, boolean]>([
    ['the last moment', `{"exp":${NOW - LEEWAY_SECONDS + 0.001}}`, true],
    ['a moment later', `{"exp":${NOW - LEEWAY_SECONDS}}`, false],
    ['no exp', '{}', false],
    ['exp that is null', '{"exp":null}', false],
    ['exp that is text', `{"exp":"${NOW + 60}"}`, false],
    ['exp that is true', '{"exp":true}', false],
    ['exp in a list', `{"exp":[${NOW + 60}]}`, false],
    ['exp that is infinite', '{"exp":1e400}', false],
    ['exp that is minus infinite', '{"exp":-1e400}', false],
    ['exp in milliseconds', `{"exp":${NOW * 1000}}`, false],
    ['the last exp', `{"exp":${NUMERIC_DATE_MAX}}`, true],
    ['an exp beyond', `{"exp":${NUMERIC_DATE_MAX + 1}}`, false],
    ['a negative exp', '{"exp":-1}', false],
    ['nbf that has come', `{"exp":${NOW + 60},"nbf":${NOW}}`, true],
    ['nbf within the leeway', `{"exp":${NOW + 60},"nbf":${NOW + LEEWAY_SECONDS}}`, true],
    ['nbf beyond the leeway', `{"exp":${NOW + 600},"nbf":${NOW + LEEWAY_SECONDS + 0.5}}`, false],
    ['nbf that is text', `{"exp":${NOW + 60},"nbf":"${NOW}"}`, false],
    ['nbf that is null', `{"exp":${NOW + 60},"nbf":null}`, false],
    ['iat in the past', `{"exp":${NOW + 60},"iat":${NOW - 60}}`, true],
    ['iat in the future', `{"exp":${NOW + 600},"iat":${NOW + 60}}`, false],
    ['iat that is infinite', `{"exp":${NOW + 60},"iat":1e400}`, false],
  ])('%s', (_name, claims, isGood) => {
    expect(until(claims) !== undefined).toBe(isGood);
  });

  it('have to be there where that is asked for', () => {
    const rules = { required: ['exp', 'nbf'] };
    expect([until({ exp: NOW + 60 }, rules), until({ nbf: NOW }, rules)]).toEqual([undefined, undefined]);
    expect(until({ exp: NOW + 60, nbf: NOW }, rules)).toBeDefined();
  });

  it('may be bounded', () => {
    const rules = { lifetimeMaxSeconds: 3600 };
    expect(until({ exp: NOW + 3600 + LEEWAY_SECONDS }, rules)).toBeDefined();
    expect(until({ exp: NOW + 3601 + LEEWAY_SECONDS }, rules)).toBeUndefined();
  });
});

describe('names of a token', () => {
  const rules = { issuer: 'https://issuer.test/', audiences: ['a', 'b'] };
  const good = { exp: NOW + 60, iss: 'https://issuer.test/', aud: 'a' };

  it.each<[string, Readonly<Record<string, unknown>>, boolean]>([
    ['as wanted', {}, true],
    ['another audience of the list', { aud: 'b' }, true],
    ['several audiences', { aud: ['x', 'b'] }, true],
    ['other audiences', { aud: ['x', 'y'] }, false],
    ['no audience in a list', { aud: [] }, false],
    ['an audience within a list within the list', { aud: [['a']] }, false],
    ['an audience beside something else', { aud: ['a', 1] }, false],
    ['an audience in an object', { aud: { 0: 'a' } }, false],
    ['no audience', { aud: undefined }, false],
    ['a longer audience', { aud: 'a b' }, false],
    ['another issuer', { iss: 'https://other.test/' }, false],
    ['an issuer without the slash', { iss: 'https://issuer.test' }, false],
    ['an issuer in another case', { iss: 'https://Issuer.test/' }, false],
    ['an issuer in a list', { iss: ['https://issuer.test/'] }, false],
    ['no issuer', { iss: undefined }, false],
    ['the use of access', { token_use: 'access', typ: 'Bearer' }, true],
    ['the use of a refresh token', { token_use: 'refresh' }, false],
    ['the type of a refresh token', { typ: 'Refresh' }, false],
    ['the type of an offline token', { typ: 'Offline' }, false],
    ['the type of a logout token', { typ: 'Logout' }, false],
  ])('%s', (_name, claims, isGood) => {
    expect(until({ ...good, ...claims }, rules) !== undefined).toBe(isGood);
  });

  it('count only where the rules say so', () => {
    expect(until({ exp: NOW + 60, iss: 1, aud: {} })).toBeDefined();
  });
});
