import { describe, expect, it } from 'vitest';
import { canaryShadowTraffic } from './index.ts';

const least = { canary_percentage: 10, canary_upstream_url: 'https://canary.test' };

describe('a config of canary_shadow_traffic', () => {
  it.each([
    ['both targets', { ...least, canary_forward_url: 'https://shadow.test/v2' }],
    ['no share', { ...least, canary_percentage: 0 }],
    ['a scheme in capitals', { ...least, canary_upstream_url: 'HTTPS://canary.test' }],
    ['a share with decimals', { ...least, canary_percentage: 0.01 }],
    ['both names of a setting, with one meaning', { ...least, bucket_by: 'ip', bucket_key_source: 'ip' }],
    ['the other names', { ...least, bucket_key_source: 'header', header_name: 'X-User', decision_headers: true }],
    ['an empty salt and a seed', { ...least, bucket_salt: '', seed: 7 }],
    ['a seed of text', { ...least, seed: 'release-7' }],
    ['a header alone, which buckets can only be made of', { ...least, bucket_header_name: 'X-User' }],
  ])('may have %s', (_name, config) => {
    expect(canaryShadowTraffic.plugin.compile(config)).toMatchObject({ ok: true });
  });

  it.each<[string, object, string, string]>([
    ['no share', { canary_upstream_url: 'https://canary.test' }, '/canary_percentage', 'is required'],
    ['no target', { canary_percentage: 10 }, '', 'needs at least one of canary_upstream_url, canary_forward_url'],
    ['a share below 0', { ...least, canary_percentage: -1 }, '/canary_percentage', 'must be at least 0'],
    ['a share above 100', { ...least, canary_percentage: 100.5 }, '/canary_percentage', 'must be at most 100'],
    ['a share as text', { ...least, canary_percentage: '10' }, '/canary_percentage', 'must be a number'],
    ...['http://canary.test', 'https://user:pass@canary.test', 'https://canary.test/?x', 'canary.test', 7].flatMap(
      (url): [string, object, string, string][] => [
        [`${url} as upstream`, { canary_percentage: 1, canary_upstream_url: url }, '/canary_upstream_url', 'must be'],
        [`${url} as shadow`, { canary_percentage: 1, canary_forward_url: url }, '/canary_forward_url', 'must be'],
      ],
    ),
    ['an unknown key', { ...least, bucket_by: 'moon' }, '/bucket_by', 'must be one of consumer'],
    [
      'two meanings of one setting',
      { ...least, bucket_by: 'ip', bucket_key_source: 'path' },
      '/bucket_key_source',
      'is another name',
    ],
    [
      'a header without a name',
      { ...least, bucket_by: 'header' },
      '/bucket_header_name',
      'is required: it names the field',
    ],
    [
      'a name without a header',
      { ...least, bucket_by: 'ip', header_name: 'X-User' },
      '/header_name',
      'is only used with bucket_by header',
    ],
    [
      'two headers',
      { ...least, bucket_by: 'header', bucket_header_name: 'a', header_name: 'b' },
      '/header_name',
      'names another field',
    ],
    [
      'a value without its header',
      { ...least, canary_header_value: 'yes' },
      '/canary_header_value',
      'needs canary_header_name',
    ],
    [
      'never as the value',
      { ...least, canary_header_name: 'a', canary_header_value: 'never' },
      '/canary_header_value',
      'must not be never',
    ],
    ['a header that is none', { ...least, canary_header_name: 'a b' }, '/canary_header_name', 'must be a header name'],
    [
      'a decision in a header of the gateway',
      { ...least, decision_header_name: 'Host' },
      '/decision_header_name',
      'names a header that the gateway',
    ],
    [
      'a bucket in a header of the gateway',
      { ...least, bucket_header_output_name: 'TE' },
      '/bucket_header_output_name',
      'names a header that the gateway',
    ],
    [
      'bucket and decision in one header',
      { ...least, bucket_header_output_name: 'x-canary-decision' },
      '/bucket_header_output_name',
      'must not be the header',
    ],
    [
      'contradicting flags',
      { ...least, include_decision_headers: true, decision_headers: false },
      '/decision_headers',
      'is another name',
    ],
    ['a seed that is no whole number', { ...least, seed: 0.5 }, '/seed', 'must be a whole number'],
    ['a seed that is neither', { ...least, seed: true }, '/seed', 'must be a whole number or text'],
    ['an empty seed', { ...least, seed: '' }, '/seed', 'must have at least 1'],
    ['a seed that is too long', { ...least, seed: 'a'.repeat(129) }, '/seed', 'must have at most 128'],
    ['a salt that is too long', { ...least, bucket_salt: 'a'.repeat(129) }, '/bucket_salt', 'must have at most 128'],
    ['an unknown field', { ...least, canary: true }, '/canary', 'is no field of this plugin'],
  ])('is refused with %s', (_name, config, pointer, message) => {
    expect(canaryShadowTraffic.plugin.compile(config)).toMatchObject({
      ok: false,
      issues: [{ pointer, message: expect.stringContaining(message) as unknown }],
    });
  });
});
