import { describe, expect, it } from 'vitest';
import { advancedRateLimiter } from '../advanced_rate_limiter/index.ts';
import { canonicalConfig, pluginCatalogue } from '../index.ts';
import { mockResponse } from '../mock_response/index.ts';
import { rateLimiter } from '../rate_limiter/index.ts';
import { mistakesOf } from '../testing/bad-configs.ts';

describe('null in a config', () => {
  it.each([
    [rateLimiter, { hour: 3, minute: null, header_name: null, scope: null, error_code: null }, { hour: 3 }],
    [
      advancedRateLimiter,
      { limits: [{ limit: 1, window_seconds: 2, name: null }], cost: null },
      { limits: [{ limit: 1, window_seconds: 2 }] },
    ],
  ])(
    'is no field where the field is optional, in the control plane and on gateways: %#',
    ({ plugin }, config, kept) => {
      expect(canonicalConfig(plugin.name, config)).toEqual(kept);
      expect(plugin.compile(config).ok).toBe(true);
    },
  );

  it('is a value where the field takes it', () => {
    const config = { status_code: 200, body: null };
    expect(canonicalConfig('mock_response', config)).toBe(config);
    expect(mistakesOf(mockResponse, config)).toEqual([]);
  });

  it('is a mistake in a required field, in a list and in a field that nobody knows', () => {
    const config = { limits: [{ limit: null, window_seconds: 2 }], nothing: null };
    expect(mistakesOf(advancedRateLimiter, config).map((mistake) => mistake.split(':')[0])).toEqual(
      expect.arrayContaining(['/limits/0/limit', '/nothing']),
    );
    expect(mistakesOf(rateLimiter, { hour: 3, limits: [null] })).not.toEqual([]);
  });

  it('leaves what has none as it is', () => {
    const config = { limits: [{ limit: 1, window_seconds: 2 }] };
    expect(canonicalConfig('advanced_rate_limiter', config)).toBe(config);
  });

  it('is what the schema that users read has a comment about', () => {
    expect(pluginCatalogue.get('rate_limiter')?.jsonSchema()).toMatchObject({
      $comment: expect.stringContaining('null'),
    });
  });
});
