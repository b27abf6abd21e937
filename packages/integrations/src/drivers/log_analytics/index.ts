import { count, field, list } from '../../answer-fields.ts';
import { below, withoutSlash } from '../../calls/base-url.ts';
import { tokenOrBasic } from '../../calls/credentials.ts';
import { defineDriver } from '../../define-driver.ts';
import type { Driver } from '../../driver.ts';
import { unexpectedForm } from '../../unexpected-form.ts';
import { configSchema, type LogAnalyticsConfig, type LogAnalyticsSecrets, secretsSchema } from './config.ts';

/** What one look records. Source: spec, Outbound integration sync calls. */
export interface LogAnalyticsMetadata {
  readonly provider: string;
  readonly base_url: string;
  readonly auth_mode: 'token' | 'basic';
  readonly server_info_status: number;
  readonly saved_searches_status: number;
  readonly server_name: string | null;
  readonly version: string | null;
  /** All there are, of which one is read; `null` where the server does not say. */
  readonly saved_search_count: number | null;
}

const PROVIDER = 'splunk';

/** Server and saved searches of a log analytics system. Source: Splunk's REST API, `server/info` and `saved/searches`. */
export const logAnalytics: Driver<LogAnalyticsConfig, LogAnalyticsSecrets, LogAnalyticsMetadata> = defineDriver({
  name: 'log_analytics',
  title: 'Log analytics',
  description: 'Reads name, version and the number of saved searches of a Splunk server',
  setup: 'by_request',
  configSchema,
  secretsSchema,
  limits: { timeoutMs: 5000, connectTimeoutMs: 2000, responseBytesMax: 1024 * 1024 },
  known: ({ config, secrets }) => ({
    provider: PROVIDER,
    base_url: withoutSlash(config.base_url),
    auth_mode: tokenOrBasic(secrets).mode,
  }),
  async read({ config, secrets, ask, text }) {
    const { mode, authorization } = tokenOrBasic(secrets);
    const headers = { authorization };
    const infoUrl = below(config.base_url, '/services/server/info?output_mode=json');
    const info = await ask({ request: 'server_info', url: infoUrl, headers });
    const [server] = list(field(info.value, 'entry'), 1) ?? [];
    if (server === undefined) throw unexpectedForm('server_info', info.status, 'entry');
    const searchesUrl = below(config.base_url, '/servicesNS/-/-/saved/searches?output_mode=json&count=1');
    const searches = await ask({ request: 'saved_searches', url: searchesUrl, headers });
    const content = field(server, 'content');
    return {
      provider: PROVIDER,
      base_url: withoutSlash(config.base_url),
      auth_mode: mode,
      server_info_status: info.status,
      saved_searches_status: searches.status,
      server_name: text(field(content, 'serverName')),
      version: text(field(content, 'version') ?? field(field(info.value, 'generator'), 'version')),
      saved_search_count: count(field(field(searches.value, 'paging'), 'total')) ?? null,
    };
  },
});
