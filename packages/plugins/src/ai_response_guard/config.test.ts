import { expect, it } from 'vitest';
import { mistakesOf } from '../testing/bad-configs.ts';
import { aiResponseGuard } from './index.ts';

it.each<[string, unknown, readonly string[]]>([
  [
    'nothing to look for',
    {},
    [
      ': needs at least one of block_pii, pii_types, blocked_patterns, response_blocked_patterns, blocked_terms, response_blocked_terms',
    ],
  ],
  ['rules that are empty', { blocked_terms: [] }, ['/blocked_terms: leaves nothing to look for']],
  ['personal data that is switched off', { block_pii: false }, ['/block_pii: leaves nothing to look for']],
  [
    'kinds of what is switched off',
    { blocked_terms: ['a'], block_pii: false, pii_types: ['email'] },
    ['/pii_types: needs block_pii'],
  ],
  ['no kinds', { block_pii: true, pii_types: [] }, ['/pii_types: must not be empty']],
  [
    'patterns that are none',
    { blocked_patterns: ['a', '('], response_blocked_patterns: ['(?=x)'] },
    [
      '/blocked_patterns/1: must be a regular expression in RE2 syntax, without look-around and back references',
      '/response_blocked_patterns/0: must be a regular expression in RE2 syntax, without look-around and back references',
    ],
  ],
  ['a status of success', { block_pii: true, status_code: 200 }, ['/status_code: must be at least 400']],
  ['an action that is none', { block_pii: true, action: 'redact' }, ['/action: must be one of block, mask']],
])('refuses %s', (_name, config, mistakes) => {
  expect(mistakesOf(aiResponseGuard, config)).toEqual(mistakes);
});

it.each([
  { block_pii: true, blocked_terms: null, mask: null },
  { pii_types: ['email'] },
  { response_blocked_terms: ['a'], mask: '' },
  { blocked_patterns: ['(a+)+$'] },
])('accepts %j', (config) => {
  expect(mistakesOf(aiResponseGuard, config)).toEqual([]);
});
