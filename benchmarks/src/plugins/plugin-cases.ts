import { definePlugin, type Plugin } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import * as v from 'valibot';
import { authenticationCases } from './authentication-cases.ts';
import { bodyCases } from './body-cases.ts';
import { wholeBaseLine } from './case-names.ts';
import type { CaseParts, MakeCase } from './plugin-case.ts';
import { recordCases } from './record-cases.ts';
import { tokenCases } from './token-cases.ts';
import { trafficCases } from './traffic-cases.ts';
import { usual } from './usual-headers.ts';

/** A plugin that does nothing: what the chain costs without one that does something. */
export const emptyPlugin: Plugin = definePlugin({
  name: 'empty',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['both'],
  config: v.object({}),
  setup: () => ({ request: () => undefined, response: () => undefined }),
});

/** Cases without anything around them. */
const simple: Readonly<Record<string, object>> = {
  correlation_id: {},
  rate_limiter: { limit: 100_000_000, window_seconds: 3600 },
  request_termination: { header_equals: { 'x-block': 'yes' } },
  request_transformer: { set_headers: { 'x-added': 'yes' }, remove_headers: ['user-agent'] },
};

const makers: Readonly<Record<string, () => CaseParts | Promise<CaseParts>>> = {
  ...Object.fromEntries(Object.entries(simple).map(([name, config]) => [name, () => ({ config, headers: usual })])),
  ...authenticationCases,
  ...tokenCases,
  ...trafficCases,
  ...bodyCases,
  ...recordCases,
};

/** What is measured, by plugin, and the base lines. */
export const pluginCases: ReadonlyMap<string, MakeCase> = new Map<string, MakeCase>([
  ['empty', () => ({ plugin: emptyPlugin, config: {}, headers: usual })],
  [wholeBaseLine, () => ({ plugin: emptyPlugin, config: {}, headers: usual, isWhole: true })],
  ...Object.entries(makers).map(
    ([name, make]) => [name, async () => ({ plugin: builtIn(name), ...(await make()) })] as const,
  ),
]);

/** @throws Error for a plugin that is not built in */
function builtIn(name: string): Plugin {
  const plugin = builtInPlugins.find((one) => one.name === name);
  if (plugin === undefined) throw new Error(`there is no plugin ${name}`);
  return plugin;
}
