import { expect, test } from 'vitest';
import { withParams } from './call-form.ts';

test('a target sets fields, but not the model', () => {
  const body = { model: 'm', stream: true, temperature: 1, user: 'u' };
  expect(withParams(body, { model: 'x', stream: false, temperature: 0 })).toEqual({ ...body, temperature: 0 });
});

test.each([
  [{ max_tokens: 50 }, { max_completion_tokens: 5000 }],
  [{ max_completion_tokens: 50 }, { max_tokens: 5000 }],
  [{ max_tokens: 50 }, { max_tokens: 5000, max_completion_tokens: 5000 }],
])('the limit of a target %j counts, and not %j', (params, said) => {
  expect(withParams({ model: 'm', ...said }, params)).toEqual({ model: 'm', ...params });
  expect(withParams({ model: 'm', ...said }, { seed: 1 })).toEqual({ model: 'm', ...said, seed: 1 });
});
