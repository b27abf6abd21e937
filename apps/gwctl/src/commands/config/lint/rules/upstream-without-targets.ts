import type { LintRule } from '../rule.ts';

/** Requests are answered with 503. Source: wire contract, Value forms, Routes. */
export const upstreamWithoutTargets: LintRule = {
  id: 'upstream-without-targets',
  description: 'An upstream of the bundle has no target that takes requests',
  severity: 'warning',
  check: ({ records, referred }) => {
    const served = new Set(
      records('targets')
        .filter(({ values }) => values['weight'] !== 0)
        .flatMap((target) => referred(target, 'upstreams', 'upstream_id', 'upstream_name')),
    );
    return records('upstreams')
      .filter((upstream) => !served.has(upstream))
      .map((record) => ({ record, at: '', message: 'has no target with a weight above 0: requests get 503' }));
  },
};
