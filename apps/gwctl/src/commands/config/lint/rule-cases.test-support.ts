/** Records of a bundle by their keys. */
export type Records = Readonly<Record<string, readonly Record<string, unknown>[]>>;

/** Rule, what it is about, a bundle, and the places that it names: none where the bundle is fine. */
export type RuleCase = readonly [rule: string, about: string, records: Records, places: readonly string[]];

/** Fields and records that most cases need. */
export const g = { gateway_name: 'g' };
export const service = { ...g, name: 's', url: 'http://10.0.0.1' };
export const route = { ...g, name: 'r', service_name: 's', path: '/r' };
const upstream = { ...g, name: 'u' };

const inline = (plugin: object) => ({ routes: [{ ...route, plugins: [plugin] }] });
/** Routes of one service. */
export const routed = (...routes: readonly object[]): Records => ({
  services: [service],
  routes: routes.map((more, index) => ({ ...g, service_name: 's', name: `r${index}`, ...more })),
});
export const credential = { consumer_name: 'c', type: 'api_key', name: 'k' };
export const consumers = [{ username: 'c' }];

/** Cases of all rules but the one about shadowed routes. */
export const ruleCases: readonly RuleCase[] = [
  ['disabled', 'a route that is off', { routes: [{ ...route, enabled: false }] }, ['/routes/0/enabled']],
  ['disabled', 'an inline plugin that is off', inline({ name: 'a', enabled: false }), ['/routes/0/plugins/0/enabled']],
  ['disabled', 'what is on', { ...inline({ name: 'a' }), services: [service] }, []],
  ['expression-expensive', 'a counted repetition', routed({ path: '~/a{900}$' }), ['/routes/0/path']],
  ['expression-expensive', 'a template', routed({ path: '~/a/(?<x>[^/]+)/b/(?<y>[^/]+)$' }), []],
  ['expression-unanchored', 'no end', routed({ path: '~/a/[0-9]+' }), ['/routes/0/path']],
  ['expression-unanchored', 'an escaped dollar', routed({ paths: ['~/a$', String.raw`~/a\$`] }), ['/routes/0/paths/1']],
  [
    'expression-unanchored',
    'an end, or anything',
    routed({ paths: ['~/a$', '~/b/.*', '~/c/(?<rest>.+)', '~/(c|d$)'] }),
    [],
  ],
  ['expression-unanchored', 'no expression', routed({ path: '/a' }), []],
  ['names-differ-in-case', 'two routes', { routes: [route, { ...route, name: 'R', path: '/x' }] }, ['/routes/1/name']],
  [
    'names-differ-in-case',
    'two consumers',
    { consumers: [{ username: 'Ann' }, { username: 'ann' }] },
    ['/consumers/1/username'],
  ],
  [
    'names-differ-in-case',
    'routes of two gateways',
    { gateways: [{ name: 'g' }, { name: 'h' }], routes: [route, { ...route, gateway_name: 'h', name: 'R' }] },
    [],
  ],
  [
    'public-http',
    'http to the internet',
    { services: [{ ...service, url: 'http://api.example.com' }] },
    ['/services/0/url'],
  ],
  [
    'public-http',
    'http to a public address',
    { services: [{ ...service, url: 'http://[2606:4700::1]' }] },
    ['/services/0/url'],
  ],
  ['public-http', 'https', { services: [{ ...service, url: 'https://api.example.com' }] }, []],
  ...['10.1.2.3', '172.31.0.1', '[fd00::1]', 'orders', 'orders.svc', 'a.default.svc.cluster.local', 'localhost:80'].map(
    (host) => ['public-http', host, { services: [{ ...service, url: `http://${host}` }] }, []] as const,
  ),
  ['route-catch-all', 'any path', routed({}), ['/routes/0']],
  ['route-catch-all', 'the prefix /', routed({ path: '/' }), ['/routes/0']],
  [
    'route-catch-all',
    'the path / alone, or one host',
    routed({ path: '/', path_type: 'exact' }, { hosts: ['a.b'] }),
    [],
  ],
  [
    'route-without-authentication',
    'nothing that asks',
    routed({ path: '/a', plugins: [{ name: 'rate_limiter' }] }),
    ['/routes/0'],
  ],
  [
    'route-without-authentication',
    'an inline plugin that is off',
    inline({ name: 'oidc', enabled: false }),
    ['/routes/0'],
  ],
  ['route-without-authentication', 'an inline plugin', inline({ name: 'oidc' }), []],
  [
    'route-without-authentication',
    'a plugin of the tenant',
    { ...routed({ path: '/a' }), plugins: [{ name: 'oidc', scope: 'tenant' }] },
    [],
  ],
  [
    'route-without-authentication',
    'a plugin of the service',
    { ...routed({ path: '/a' }), plugins: [{ name: 'oidc', scope: 'service', ...g, service_name: 's' }] },
    [],
  ],
  [
    'route-without-authentication',
    'a plugin of another service',
    { ...routed({ path: '/a' }), plugins: [{ name: 'oidc', scope: 'service', ...g, service_name: 'o' }] },
    ['/routes/0'],
  ],
  [
    'route-without-authentication',
    'a plugin of another route',
    { ...routed({ path: '/a' }, { path: '/b' }), plugins: [{ name: 'oidc', scope: 'route', route_name: 'r1' }] },
    ['/routes/0'],
  ],
  [
    'route-without-authentication',
    'a plugin of some consumers',
    { ...routed({ path: '/a' }), plugins: [{ name: 'oidc', scope: 'consumer_group', consumer_group: 'x' }] },
    ['/routes/0'],
  ],
  ['route-without-service', 'nothing that answers', { routes: [{ ...g, name: 'r', path: '/a' }] }, ['/routes/0']],
  [
    'route-without-service',
    'a redirect',
    { routes: [{ ...g, name: 'r', path: '/a', plugins: [{ name: 'redirect' }] }] },
    [],
  ],
  [
    'secret-in-plain-text',
    'an API key',
    { consumers, consumer_credentials: [{ ...credential, key: 'secret-7' }] },
    ['/consumer_credentials/0/key'],
  ],
  ['secret-in-plain-text', 'a mask', { consumers, consumer_credentials: [{ ...credential, key: '[redacted]' }] }, []],
  [
    'secret-in-plain-text',
    'a reference',
    inline({ name: 'api_key_auth', config: { valid_keys: ['vault://v/k'] } }),
    [],
  ],
  [
    'secret-in-plain-text',
    'keys of a plugin',
    inline({ name: 'api_key_auth', config: { header_name: 'x', valid_keys: ['a', { key: 'b' }] } }),
    ['/routes/0/plugins/0/config/valid_keys/0', '/routes/0/plugins/0/config/valid_keys/1/key'],
  ],
  [
    'secret-in-plain-text',
    'a plugin of the tenant',
    {
      plugins: [
        {
          name: 'oauth2',
          config: { client_secret: 'x', client_id: 'y', token_header: 'z', public_key: 'p', api_key_env: 'E' },
        },
      ],
    },
    ['/plugins/0/config/client_secret'],
  ],
  [
    'secret-in-plain-text',
    'the token of a vault',
    {
      vaults: [
        { name: 'v', prefix: 'v', driver: 'hashicorp', config: { address: 'https://v.example.com', token: 't' } },
      ],
    },
    ['/vaults/0/config/token'],
  ],
  ['service-without-routes', 'nothing', { services: [service] }, ['/services/0']],
  [
    'service-without-routes',
    'a route by name, or by ID',
    { services: [service, { ...service, id: 'i', name: 't' }], routes: [route, { ...g, name: 'q', service_id: 'i' }] },
    [],
  ],
  [
    'service-without-routes',
    'a route of another gateway',
    { gateways: [{ name: 'g' }, { name: 'h' }], services: [service], routes: [{ ...route, gateway_name: 'h' }] },
    ['/services/0'],
  ],
  [
    'tls-not-verified',
    'nothing verified',
    { services: [{ ...service, tls_verify: false }] },
    ['/services/0/tls_verify'],
  ],
  ['tls-not-verified', 'the default', { services: [service] }, []],
  ['upstream-without-services', 'nothing', { upstreams: [upstream] }, ['/upstreams/0']],
  [
    'upstream-without-services',
    'a service',
    { upstreams: [upstream], services: [{ ...g, name: 's', upstream_name: 'u' }] },
    [],
  ],
  [
    'upstream-without-targets',
    'targets that take nothing',
    { upstreams: [upstream], targets: [{ ...g, upstream_name: 'u', host: 'h', port: 1, weight: 0 }] },
    ['/upstreams/0'],
  ],
  [
    'upstream-without-targets',
    'a target',
    { upstreams: [upstream], targets: [{ ...g, upstream_name: 'u', host: 'h', port: 1 }] },
    [],
  ],
];
