import { inlinePluginsOf, isEnabled } from '../linted-bundle.ts';
import type { LintRule } from '../rule.ts';

/** Families whose records take part in traffic. */
const keys = ['services', 'routes', 'plugins', 'consumer_credentials'] as const;

/** What is switched off is easily taken for what protects. */
export const disabled: LintRule = {
  id: 'disabled',
  description: 'A service, a route, a plugin or a credential is switched off',
  severity: 'info',
  check: ({ records }) => [
    ...keys.flatMap((key) =>
      records(key)
        .filter(({ values }) => !isEnabled(values))
        .map((record) => ({ record, at: '/enabled', message: 'is switched off' })),
    ),
    ...records('routes').flatMap((record) =>
      inlinePluginsOf(record.values)
        .filter(({ plugin }) => !isEnabled(plugin))
        .map(({ at }) => ({ record, at: `${at}/enabled`, message: 'is a plugin that is switched off' })),
    ),
  ],
};
