import { validateBundle } from '@portcullis/bundle-diff';
import { describe, expect, it } from 'vitest';
import { localDescriptor } from '../../../bundle/local-descriptor.ts';
import { allRules } from './all-rules.ts';
import { lintBundle } from './lint-bundle.ts';
import { consumers, credential, route, ruleCases, service } from './rule-cases.test-support.ts';
import type { Records } from './rule-cases.test-support.ts';
import { shadowCases } from './shadow-cases.test-support.ts';

const descriptor = localDescriptor();
const cases = [...ruleCases, ...shadowCases];

/** What a rule finds: pointers, without the rest. */
function found(rule: string, records: Records): readonly string[] {
  const document = { tenant_id: 'acme', gateways: [{ name: 'g' }], ...records };
  const { errors } = validateBundle(document, descriptor, { strict: false });
  expect(errors).toEqual([]);
  const only = allRules.filter(({ id }) => id === rule);
  return lintBundle(document, only, {}).map(({ pointer }) => pointer);
}

describe('rules', () => {
  it.each(cases)('%s: %s', (rule, _about, records, places) => expect(found(rule, records)).toEqual(places));

  it('each have a case that is found and one that is fine', () => {
    for (const { id } of allRules) {
      const own = cases.filter(([rule]) => rule === id);
      expect([
        id,
        own.some(([, , , places]) => places.length > 0),
        own.some(([, , , places]) => places.length === 0),
      ]).toEqual([id, true, true]);
    }
  });

  it('never repeat a secret', () => {
    const records = { consumers, consumer_credentials: [{ ...credential, key: 'secret-7' }] };
    const findings = lintBundle({ tenant_id: 'acme', ...records }, allRules, {});
    expect(findings).not.toEqual([]);
    expect(JSON.stringify(findings)).not.toContain('secret-7');
  });

  it('are switched off and weighed anew, the worst first', () => {
    const document = {
      tenant_id: 'acme',
      gateways: [{ name: 'g' }],
      services: [{ ...service, tls_verify: false }],
      routes: [{ ...route, enabled: false }],
    };
    const findings = lintBundle(document, allRules, {
      'tls-not-verified': 'off',
      disabled: 'error',
      'route-without-authentication': 'warning',
    });
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['disabled', 'error']]);
  });
});
