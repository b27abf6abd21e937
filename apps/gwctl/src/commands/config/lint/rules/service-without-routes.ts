import type { LintRule } from '../rule.ts';

/** Often the rest of a removed route, or a name that was mistyped. */
export const serviceWithoutRoutes: LintRule = {
  id: 'service-without-routes',
  description: 'No route of the bundle leads to a service of it',
  severity: 'warning',
  check: ({ records, referred }) => {
    const used = new Set(
      records('routes').flatMap((route) => referred(route, 'services', 'service_id', 'service_name')),
    );
    return records('services')
      .filter((service) => !used.has(service))
      .map((record) => ({ record, at: '', message: 'no route of the bundle leads here' }));
  },
};
