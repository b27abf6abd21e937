import { testPlugin } from '@portcullis/plugin-runtime/testing';
import { describe, expect, it } from 'vitest';
import { mistakesOf } from '../testing/bad-configs.ts';
import { PluginBench } from '../testing/plugin-bench.ts';
import { requestTermination } from './index.ts';

const config = { header_equals: { 'X-Old': '1', 'X-Mode': 'Test' } };

describe('request_termination', () => {
  it.each([
    ['all headers are equal', ['x-old', '1', 'x-mode', 'Test'], 'respond'],
    ['one is missing', ['x-old', '1'], 'continue'],
    ['one differs in case', ['x-old', '1', 'x-mode', 'test'], 'continue'],
    ['one has more than its value', ['x-old', '11', 'x-mode', 'Test'], 'continue'],
    ['one stands there twice', ['x-old', '1', 'x-old', '1', 'x-mode', 'Test'], 'respond'],
    ['one stands there beside another value', ['x-old', '2', 'X-Old', '1', 'x-mode', 'Test'], 'respond'],
    ['one holds it within one line', ['x-old', '1, 2', 'x-mode', 'Test'], 'continue'],
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
    ['an empty value', { a: '' }, ['a', ''], 'respond'],
    ['an empty value, asked of no header', { a: '' }, [], 'continue'],
    ['a number as it is written', { a: 1.5 }, ['a', '1.5'], 'respond'],
    ['true as it is written', { a: true }, ['a', 'true'], 'respond'],
    ['one of several values', { a: ['x', 2] }, ['a', '2'], 'respond'],
    ['a value that is none of several', { a: ['x', 2] }, ['a', 'x2'], 'continue'],
    ['a host in letters of another case', { host: 'a.Example.com' }, ['Host', 'A.example.com'], 'respond'],
    ['two lines, joined', { a: 'x, y' }, ['a', 'x', 'A', 'y'], 'respond'],
  ])('compares %s', async (_name, wanted, headers, result) => {
    const bench = new PluginBench(requestTermination, { header_equals: wanted });
    expect((await bench.request({ headers })).result).toBe(result);
  });

  it.each([204, 205, 304])('answers %i without body and type, which it cannot have', async (status) => {
    const test = testPlugin(requestTermination.plugin, { config: { header_equals: { a: 'b' }, status_code: status } });
    const answer = await test.send({ headers: { A: 'b' } });
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([status, undefined, '']);
  });

  it.each([
    ['no condition', {}, ['/header_equals: is required']],
    ['an empty condition', { header_equals: {} }, ['/header_equals: must not be empty']],
    ['a name that is none', { header_equals: { 'a b': '1' } }, [expect.stringMatching(/^\/header_equals\/a b: /)]],
    ['a value that is none', { header_equals: { a: {} } }, ['/header_equals/a: must be a value, or a list of values']],
    ['no value in a list', { header_equals: { a: [] } }, ['/header_equals/a: must not be empty']],
    [
      'a list in a list',
      { header_equals: { a: ['b', ['c']] } },
      ['/header_equals/a: must be a value, or a list of values'],
    ],
    [
      'too many values',
      { header_equals: { a: Array(101).fill('b') } },
      ['/header_equals/a: must have at most 100 entries'],
    ],
    [
      'a redirect without a place',
      { header_equals: { a: 'b' }, status_code: 301 },
      [expect.stringMatching(/^\/status_code: .*redirect/)],
    ],
    [
      'a value that no request can have',
      { header_equals: { a: ' 1' } },
      [expect.stringMatching(/^\/header_equals\/a: must be a header value/)],
    ],
    [
      'one header in two cases',
      { header_equals: { 'X-A': '1', 'x-a': '2' } },
      ['/header_equals: has a header twice, in letters of another case'],
    ],
    [
      'a status that ends nothing',
      { header_equals: { a: 'b' }, status_code: 100 },
      ['/status_code: must be at least 200'],
    ],
    [
      'a message without end',
      { header_equals: { a: 'b' }, message: 'a'.repeat(1025) },
      ['/message: must have at most 1024 characters'],
    ],
  ])('refuses a config with %s', (_name, given, mistakes) => {
    expect(mistakesOf(requestTermination, given)).toEqual(mistakes);
  });
});
