import { definePlugin, type Plugin } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import * as v from 'valibot';
import { apiKey, gatewayDirectory } from './gateway-directory.ts';
import type { MakeCase, PluginCase } from './plugin-case.ts';

/** A plugin that does nothing: what the chain costs without one that does something. */
export const emptyPlugin: Plugin = definePlugin({
  name: 'empty',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  config: v.object({}),
  setup: () => ({ request: () => undefined }),
});

/** Headers that a request has anyway. */
const usual = [
  ...['host', 'api.test', 'user-agent', 'bench/1.0', 'accept', 'application/json'],
  ...['accept-encoding', 'gzip, br', 'x-forwarded-for', '192.0.2.1'],
];

const otherHeaders: MakeCase = () => ({ plugin: emptyPlugin, config: {}, headers: usual });

async function apiKeys(): Promise<PluginCase> {
  const keys = Array.from({ length: 1000 }, (_, index) => `key-${index}-of-the-benchmark`);
  return {
    plugin: builtIn('api_key_auth'),
    config: { valid_keys: [] },
    headers: [...usual, 'x-api-key', 'key-500-of-the-benchmark'],
    consumers: await gatewayDirectory(keys.map((key) => apiKey(key))),
  };
}

/** @throws Error for a plugin that is not built in */
function builtIn(name: string): Plugin {
  const plugin = builtInPlugins.find((one) => one.name === name);
  if (plugin === undefined) throw new Error(`there is no plugin ${name}`);
  return plugin;
}

const simple = (name: string, config: object, more: Partial<PluginCase> = {}): readonly [string, MakeCase] => [
  name,
  () => ({ plugin: builtIn(name), config, headers: usual, ...more }),
];

/** What is measured, by plugin; `empty` is the base line. */
export const pluginCases: ReadonlyMap<string, MakeCase> = new Map<string, MakeCase>([
  ['empty', otherHeaders],
  ['api_key_auth', apiKeys],
  simple('correlation_id', {}),
  simple('rate_limiter', { limit: 100_000_000, window_seconds: 3600 }),
  simple('request_termination', { header_equals: { 'x-block': 'yes' } }),
  simple('request_transformer', { set_headers: { 'x-added': 'yes' }, remove_headers: ['user-agent'] }),
]);
