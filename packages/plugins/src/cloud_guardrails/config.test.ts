import { expect, it } from 'vitest';
import { mistakesOf } from '../testing/bad-configs.ts';
import { cloudGuardrails } from './index.ts';

const least = { guardrail_id: 'gr1', region: 'eu-central-1', access_key_id: 'AK-1', secret_access_key: 'SK-1' };

it.each<[string, object, readonly string[]]>([
  ['a region that leads elsewhere', { region: 'us-east-1.evil.test/#' }, ['/region: must be the name of a region']],
  ['a guardrail that is a path', { guardrail_id: '../x' }, ['/guardrail_id: must be the ID or ARN of a guardrail']],
  ['a version that is none', { guardrail_version: '1/../2' }, ['/guardrail_version: must be a number or DRAFT']],
  ['no key', { access_key_id: undefined }, ['/access_key_id: or access_key_id_env is required: calls are signed']],
  ['two secrets', { secret_access_key_env: 'A' }, ['/secret_access_key_env: must not stand beside secret_access_key']],
  [
    'a qualifier that is none',
    { qualifiers: ['x'] },
    ['/qualifiers/0: must be one of grounding_source, query, guard_content'],
  ],
  [
    'an address with a password',
    { endpoint_url: 'https://a:b@c.test' },
    ['/endpoint_url: must begin with https:// and a host, and have no user, password and fragment'],
  ],
  [
    'an address with a query, which no signed call has',
    { endpoint_url: 'https://c.test/a?key=b' },
    ['/endpoint_url: must have no query'],
  ],
])('refuses %s in a config', (_name, config, mistakes) => {
  expect(mistakesOf(cloudGuardrails, JSON.parse(JSON.stringify({ ...least, ...config })))).toEqual(mistakes);
});
