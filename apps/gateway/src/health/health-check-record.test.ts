import { familyNamed, writeSchema } from '@portcullis/resources';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { healthCheckRecord } from './health-check-record.ts';

it.each([{}, { active: {} }, { passive: {} }, { active: {}, passive: { unhealthy: {} }, threshold: 50 }])(
  'a record without %j has the defaults of the catalogue here too',
  (healthchecks) => {
    const record: Record<string, unknown> = v.parse(writeSchema(familyNamed('upstreams')), { name: 'u', healthchecks });
    expect(v.parse(healthCheckRecord, healthchecks)).toEqual(record['healthchecks']);
    expect(v.parse(healthCheckRecord, record['healthchecks'])).toEqual(record['healthchecks']);
  },
);

it('what a newer control plane says besides is left out', () => {
  expect(v.parse(healthCheckRecord, { active: { later: 1 } }).active).not.toHaveProperty('later');
});
