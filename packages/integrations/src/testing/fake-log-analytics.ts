import { type FakeCredentials, isAuthorized } from './fake-credentials.ts';
import type { FakeBehaviour } from './fake-system.ts';

/** A server, and who may ask it. */
export interface FakeLogAnalytics extends FakeCredentials {
  readonly serverName?: string;
  readonly version?: string;
  /** How many there are; `null` leaves `paging` out. */
  readonly savedSearches?: number | null;
}

/** The management port of Splunk. Source: Splunk's REST API reference, `server/info`, `saved/searches`. */
export function fakeLogAnalytics(options: FakeLogAnalytics): FakeBehaviour {
  const { serverName = 'splunk-1', version = '10.0.1', savedSearches = 0, ...credentials } = options;
  return ({ path, query, headers }) => {
    if (!isAuthorized(headers.authorization, credentials))
      return { status: 401, body: { messages: [{ type: 'WARN', text: 'call not properly authenticated' }] } };
    if (query.get('output_mode') !== 'json') return { status: 200, headers: { 'content-type': 'text/xml' } };
    const generator = { build: 'b1', version };
    if (path === '/services/server/info') {
      const entry = [{ name: 'server-info', content: { serverName, version, os_name: 'Linux' } }];
      return { status: 200, body: { generator, entry, paging: { total: 1, perPage: 30, offset: 0 } } };
    }
    if (path !== '/servicesNS/-/-/saved/searches') return { status: 404, body: { messages: [] } };
    const perPage = Number(query.get('count') ?? 30);
    const shown = Math.min(perPage, savedSearches ?? 1);
    const entry = Array.from({ length: shown }, (_, at) => ({ name: `search ${at}`, content: { search: 'index=*' } }));
    const paging = savedSearches === null ? {} : { paging: { total: savedSearches, perPage, offset: 0 } };
    return { status: 200, body: { generator, entry, ...paging } };
  };
}
