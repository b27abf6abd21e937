import { createHash } from 'node:crypto';
import type { ConfigurationDocument } from '@portcullis/resources';
import { apiKey, headerEdits, rateLimit } from './terms.ts';
import type { Mode } from './terms.ts';

type Resources = ConfigurationDocument['resources'];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The gateway's configuration for a mode: one route to one upstream and, with policies, one consumer and four plugins. */
export function benchConfiguration(mode: Mode, upstreamPort: number): ConfigurationDocument {
  const resources: Resources = {
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
    routes: [
      {
        id: 'rt-bench',
        gateway_id: 'gw-bench',
        name: 'bench',
        enabled: true,
        service_id: 'svc-bench',
        paths: ['/bench'],
        path_type: 'prefix',
        strip_path: false,
        plugins: [],
      },
    ],
    upstreams: [],
    targets: [],
    consumers: mode === 'plain' ? [] : [{ id: 'con-bench', username: apiKey.consumer, enabled: true, groups: [] }],
    consumer_credentials: mode === 'plain' ? [] : [credential],
    plugins: mode === 'plain' ? [] : policies,
  };
  const tenantId = 'bench';
  return { format: 1, tenant_id: tenantId, revision: 1, hash: sha256(JSON.stringify(resources)), resources };
}

const credential = {
  id: 'cred-bench',
  consumer_id: 'con-bench',
  type: 'api_key',
  name: 'bench',
  key_hash: sha256(apiKey.value),
  enabled: true,
};

const policy = (name: string, trigger: string, priority: number, config: object): Resources['plugins'][number] => ({
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

const policies: Resources['plugins'] = [
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
