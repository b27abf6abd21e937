import { definePlugin } from '@portcullis/plugin-runtime';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { rateLimiter } from '../rate_limiter/index.ts';
import { mistakesOf } from '../testing/bad-configs.ts';
import { LIMIT_BY } from './limits/limit-fields.ts';

const words = `must be one of ${LIMIT_BY.join(', ')}`;

describe('messages about words of a schema', () => {
  it.each(['consume', 'consumer_g', ['consumer', 'header']])('list them, also for a part of one: %j', (given) => {
    expect(mistakesOf(rateLimiter, { minute: 1, limit_by: given })).toContain(`/limit_by: ${words}`);
  });

  it('say a bound, whatever the config says elsewhere', () => {
    const config = { minute: 1, error_message: 'characters', identifier: 'ip', path: `/${'a'.repeat(1024)}` };
    expect(mistakesOf(rateLimiter, config)).toContain('/path: must have at most 1024 characters');
  });

  it.each([
    ['quotes it', (issue: v.PicklistIssue) => `${String(issue.input)} is none of alpha, beta`],
    ['quotes it beside the words', (issue: v.PicklistIssue) => `must be one of alpha, beta: ${String(issue.input)}`],
    ['quotes it as a bound', (issue: v.PicklistIssue) => `must be at least ${String(issue.input)}`],
  ])('give way to a plain one where the schema %s', (_name, message) => {
    const config = v.strictObject({ word: v.picklist(['alpha', 'beta'], message) });
    const plugin = definePlugin({
      name: 'p',
      version: '1.0.0',
      category: 'transformation',
      triggers: ['before_request'],
      config,
      setup: () => ({}),
    });
    for (const word of ['hunter2', 'my-alpha-secret', 'alpha, ', '31415926'])
      expect(plugin.compile({ word })).toMatchObject({
        ok: false,
        issues: [{ pointer: '/word', message: 'is not valid' }],
      });
  });
});
