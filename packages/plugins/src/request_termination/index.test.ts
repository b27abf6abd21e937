import { testPlugin } from '@portcullis/plugin-runtime/testing';
import { describe, expect, it } from 'vitest';
import { PluginBench } from '../testing/plugin-bench.ts';
import { requestTermination } from './index.ts';

const config = { header_equals: { 'X-Old': '1', 'X-Mode': 'Test' } };

describe('request_termination', () => {
  it.each([
    ['all headers are equal', ['x-old', '1', 'x-mode', 'Test'], 'respond'],
    ['one is missing', ['x-old', '1'], 'continue'],
    ['one differs in case', ['x-old', '1', 'x-mode', 'test'], 'continue'],
    ['one stands there twice', ['x-old', '1', 'x-old', '1', 'x-mode', 'Test'], 'continue'],
  ])('when %s: %s %s', async (_name, headers, result) => {
    expect((await new PluginBench(requestTermination, config).request({ headers })).result).toBe(result);
  });

  it.each([
    [
      '403 and a problem by default',
      {},
      403,
      'application/problem+json',
      { status: 403, code: 'terminated', detail: 'this request is not allowed', request_id: 'request-1' },
    ],
    [
      'the configured status and message',
      { status_code: 426, message: 'update' },
      426,
      'application/problem+json',
      { status: 426, detail: 'update' },
    ],
    ['plain JSON for a success', { status_code: 200, message: 'ok' }, 200, 'application/json', { message: 'ok' }],
  ])('answers %s', async (_name, more, status, type, body) => {
    const test = testPlugin(requestTermination.plugin, { config: { header_equals: { a: 'b' }, ...more } });
    const answer = await test.send({ headers: { A: 'b' } });
    expect([answer.status, answer.headers['content-type'], answer.forwarded]).toEqual([status, type, undefined]);
    expect(JSON.parse(answer.body)).toMatchObject(body);
  });

  it.each([
    ['no condition', {}, '/header_equals'],
    ['an empty condition', { header_equals: {} }, '/header_equals'],
    ['a status that ends nothing', { header_equals: { a: 'b' }, status_code: 100 }, '/status_code'],
  ])('refuses a config with %s', (_name, given, pointer) => {
    expect(requestTermination.plugin.compile(given)).toMatchObject({ ok: false, issues: [{ pointer }] });
  });
});
