import { hash } from 'node:crypto';
import { writeConfiguration } from '@portcullis/resources';
import type { DeliveredRecord } from '@portcullis/resources';
import { apiKey, headerEdits, rateLimit } from './terms.ts';
import type { Mode } from './terms.ts';

/** A configuration as a control plane serves it. */
export interface BenchConfiguration {
  readonly revision: number;
  readonly hash: string;
  readonly text: string;
}

const sha256 = (text: string): string => hash('sha256', text);

/** One route, as the family's records are. */
export type BenchRoute = Readonly<Record<string, unknown>> & { readonly paths: readonly string[] };

/**
 * The gateway's configuration for a mode: one route to one upstream and, with policies, one consumer and four plugins.
 * @param plugins further instances
 */
export function benchConfiguration(
  mode: Mode,
  upstreamPort: number,
  plugins: readonly DeliveredRecord[] = [],
): BenchConfiguration {
  const route = { id: 'rt-bench', name: 'bench', paths: ['/bench'], path_type: 'prefix' };
  return routesConfiguration(mode, upstreamPort, [route], plugins);
}

/** The same with other routes. */
export function routesConfiguration(
  mode: Mode,
  upstreamPort: number,
  routes: readonly BenchRoute[],
  plugins: readonly DeliveredRecord[] = [],
): BenchConfiguration {
  const hasPolicies = mode === 'policies';
  const revision = 1;
  const written = writeConfiguration(
    { tenantId: 'bench', revision },
    {
      gateway: { id: 'gw-bench', name: 'bench', hosts: [] },
      services: [
        {
          id: 'svc-bench',
          gateway_id: 'gw-bench',
          name: 'bench',
          enabled: true,
          url: `http://127.0.0.1:${upstreamPort}`,
        },
      ],
      routes: routes.map((route) => ({ id: '', ...route, ...routeDefaults })),
      consumers: hasPolicies ? [{ id: 'con-bench', username: apiKey.consumer, enabled: true, groups: [] }] : [],
      consumer_credentials: hasPolicies ? [credential] : [],
      plugins: [...(hasPolicies ? policies : []), ...plugins],
    },
    sha256,
  );
  return { revision, ...written };
}

const routeDefaults = {
  gateway_id: 'gw-bench',
  enabled: true,
  service_id: 'svc-bench',
  strip_path: false,
  plugins: [],
} as const;

const credential = {
  id: 'cred-bench',
  consumer_id: 'con-bench',
  type: 'api_key',
  name: 'bench',
  key_hash: sha256(apiKey.value),
  enabled: true,
};

/** An instance for the whole tenant. */
export const policy = (name: string, trigger: string, priority: number, config: object): DeliveredRecord => ({
  id: `pl-${name}`,
  name,
  enabled: true,
  scope: 'tenant',
  trigger,
  priority,
  // The runtime's cap is per instance and hook; so many connections as a run may have must pass.
  execution: { max_concurrency: 256 },
  config,
});

const policies: readonly DeliveredRecord[] = [
  policy('api_key_auth', 'before_request', 400, { header_name: apiKey.header, valid_keys: [] }),
  policy('rate_limiter', 'before_request', 300, {
    limit: rateLimit.requests,
    window_seconds: rateLimit.windowSeconds,
    limit_by: 'consumer',
    policy: 'local',
  }),
  policy('request_transformer', 'before_request', 200, {
    set_headers: { [headerEdits.request.set[0]]: headerEdits.request.set[1] },
    remove_headers: [headerEdits.request.remove],
  }),
  policy('response_header_setter', 'after_response', 100, {
    set_headers: { [headerEdits.response.set[0]]: headerEdits.response.set[1] },
    remove_headers: [headerEdits.response.remove],
  }),
];
