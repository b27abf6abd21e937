import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { toConfigJsonSchema } from '../json-schema.ts';
import { responseCache } from '../response_cache/index.ts';
import { responseRateLimiter } from '../response_rate_limiter/index.ts';
import { serviceProtection } from '../service_protection/index.ts';
import { statusCodes } from './status-codes.ts';

const schema = statusCodes('Statuses', {
  min: 200,
  max: 599,
  entriesMax: 3,
  except: { statuses: [206], reason: 'is the status of a part' },
});

describe('lists of statuses', () => {
  it.each<[readonly unknown[], readonly number[]]>([
    [
      [500, 503],
      [500, 503],
    ],
    [['500-503'], [500, 501, 502, 503]],
    [
      ['599-599', 404, 404],
      [599, 404],
    ],
    [['204-207'], [204, 205, 207]],
    [
      [500, '500-501'],
      [500, 501],
    ],
  ])('are read: %j', (given, statuses) => {
    expect(v.parse(schema, given)).toEqual(statuses);
  });

  it('have a class of a hundred statuses', () => {
    const all = v.parse(schema, ['5xx']);
    expect([all.length, all[0], all.at(-1)]).toEqual([100, 500, 599]);
  });

  it.each([
    [[], 'must not be empty'],
    [[500, 501, 502, 503], 'must have at most 3 entries'],
    [[600], 'must be at most 599'],
    [[206], 'is the status of a part'],
    [['1xx'], 'must lie within 200 and 599, the lower status first'],
    [['503-500'], 'must lie within 200 and 599, the lower status first'],
    [['500'], 'must be a class such as 5xx or a range such as 500-599'],
    [['5XX'], 'must be a class such as 5xx or a range such as 500-599'],
    [['500-'], 'must be a class such as 5xx or a range such as 500-599'],
    [[true], 'must be a status, a class such as 5xx or a range such as 500-599'],
  ])('are refused: %j', (given, message) => {
    expect(v.safeParse(schema, given).issues?.map((issue) => issue.message)).toEqual([message]);
  });

  it('say both forms in JSON Schema', () => {
    expect(toConfigJsonSchema(schema)).toMatchObject({
      type: 'array',
      items: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    });
  });

  it.each([
    [responseRateLimiter, { limit: 1, window_seconds: 1, count_statuses: ['4xx', '500-503', 200] }],
    [serviceProtection, { failure_status_codes: ['5xx', 429] }],
    [responseCache, { ttl_seconds: 1, statuses: ['2xx', '300-308', 404] }],
  ])('are in the configs of plugins: %#', ({ plugin }, config) => {
    expect(plugin.compile(config).ok).toBe(true);
  });
});
