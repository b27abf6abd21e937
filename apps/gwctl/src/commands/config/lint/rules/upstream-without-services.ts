import type { LintRule } from '../rule.ts';

/** Its targets may be checked for health all the time, for nobody. */
export const upstreamWithoutServices: LintRule = {
  id: 'upstream-without-services',
  description: 'No service of the bundle uses an upstream of it',
  severity: 'info',
  check: ({ records, referred }) => {
    const used = new Set(
      records('services').flatMap((service) => referred(service, 'upstreams', 'upstream_id', 'upstream_name')),
    );
    return records('upstreams')
      .filter((upstream) => !used.has(upstream))
      .map((record) => ({ record, at: '', message: 'no service of the bundle uses it' }));
  },
};
