import type { LintRule } from '../rule.ts';

/** Whoever stands between may pretend to be the service. */
export const tlsNotVerified: LintRule = {
  id: 'tls-not-verified',
  description: "A service does not verify its upstream's certificate",
  severity: 'warning',
  check: ({ records }) =>
    records('services')
      .filter(({ values }) => values['tls_verify'] === false)
      .map((record) => ({ record, at: '/tls_verify', message: 'any certificate is taken for the right one' })),
};
