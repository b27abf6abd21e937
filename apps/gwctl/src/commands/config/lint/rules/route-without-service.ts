import { inlinePluginsOf, isEnabled, textOf } from '../linted-bundle.ts';
import type { LintRule } from '../rule.ts';

/** Plugins that answer requests, or send them elsewhere, by themselves. */
const answering: ReadonlySet<string> = new Set(['request_termination', 'redirect', 'forward_proxy']);

/** Requests would be answered by the gateway, with an error. */
export const routeWithoutService: LintRule = {
  id: 'route-without-service',
  description: 'A route has no service, and no plugin of its own that answers',
  severity: 'warning',
  check: ({ records }) =>
    records('routes')
      .filter(
        ({ values }) => textOf(values, 'service_id') === undefined && textOf(values, 'service_name') === undefined,
      )
      .filter(({ values }) => {
        const names = inlinePluginsOf(values).flatMap(({ plugin }) =>
          isEnabled(plugin) ? [textOf(plugin, 'name')] : [],
        );
        return !names.some((name) => name !== undefined && answering.has(name));
      })
      .map((record) => ({ record, at: '', message: 'leads to no service, so nothing answers its requests' })),
};
