import { testPlugin } from '@portcullis/plugin-runtime/testing';
import { describe, expect, it } from 'vitest';
import { mistakesOf } from '../testing/bad-configs.ts';
import { BODY_BYTES_MAX } from './config.ts';
import { mockResponse } from './index.ts';

const text = 'text/plain; charset=utf-8';
const json = 'application/json';
const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 1);

describe('mock_response', () => {
  it.each([
    ['a text', { body: 'größe' }, 200, text, 'größe'],
    ['an empty text', { body: '' }, 200, text, ''],
    ['an object', { body: { a: [1, null] }, status_code: 201 }, 201, json, '{"a":[1,null]}'],
    ['a list', { body: [] }, 200, json, '[]'],
    ['a number', { body: 0 }, 200, json, '0'],
    ['false', { body: false }, 200, json, 'false'],
    ['null', { body: null }, 200, json, 'null'],
    ['a text that looks like JSON', { body: '{"a":1}' }, 200, text, '{"a":1}'],
    ['an error', { body: 'closed', status_code: 503 }, 503, text, 'closed'],
    ['no body where the status has none', { body: '', status_code: 204 }, 204, undefined, ''],
  ])('answers with %s', async (_name, config, status, type, body) => {
    const test = testPlugin(mockResponse.plugin, { config });
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await test.send({ method });
      expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([status, type, body]);
      expect(answer.forwarded).toBeUndefined();
    }
  });

  it('lets requests go on when it is not enabled', async () => {
    const answer = await testPlugin(mockResponse.plugin, { config: { body: 'x', enabled: false } }).send({});
    expect([answer.status, answer.forwarded !== undefined, answer.body === 'x']).toEqual([200, true, false]);
  });

  it('takes the longest body, counted as it is sent', () => {
    expect(mistakesOf(mockResponse, { body: 'ä'.repeat(BODY_BYTES_MAX / 2) })).toEqual([]);
    expect(mistakesOf(mockResponse, { body: ['a'.repeat(BODY_BYTES_MAX - 4)] })).toEqual([]);
  });

  it.each([
    ['no body', {}, ['/body: is required']],
    [
      'a body that is too long',
      { body: 'ä'.repeat(BODY_BYTES_MAX / 2 + 1) },
      [`/body: must be JSON of at most ${BODY_BYTES_MAX} bytes`],
    ],
    ['a body that is too deep', { body: deep }, [`/body: must be JSON of at most ${BODY_BYTES_MAX} bytes`]],
    [
      'a body that would not be sent',
      { body: {}, status_code: 204 },
      ['/body: must be the empty text: an answer with status 204 has no body'],
    ],
    ['a status before the last one', { body: '', status_code: 103 }, ['/status_code: must be at least 200']],
    ['a status that is none', { body: '', status_code: 600 }, ['/status_code: must be at most 599']],
    ['a status in words', { body: '', status_code: '200' }, ['/status_code: must be a number']],
    ['a flag that is none', { body: '', enabled: 1 }, ['/enabled: must be true or false']],
    ['another field', { body: '', headers: {} }, ['/headers: is no field of this plugin']],
  ])('refuses a config with %s', (_name, config, mistakes) => {
    expect(mistakesOf(mockResponse, config)).toEqual(mistakes);
  });
});
