import { parseDescription, readDescription } from '@portcullis/openapi';
import { describe, expect, it } from 'vitest';
import { convertDescription } from './convert-description.ts';
import type { ConvertOptions } from './convert-description.ts';

const shop = `
openapi: 3.1.0
info: { title: Shop API, version: 1.4.0 }
servers: [{ url: 'https://api.example.com/v1/' }, { url: 'https://staging.example.com/v1' }]
paths:
  /orders:
    get: { operationId: listOrders, tags: [orders, Public things] }
    post: { operationId: createOrder, tags: [orders], security: [{ key: [] }] }
  /orders/{orderId}:
    get: { operationId: getOrder, summary: One order, deprecated: true }
  /files:
    post: { operationId: upload, servers: [{ url: 'https://files.example.com' }] }
    get: { operationId: files }
`;

type Records = readonly Record<string, unknown>[];

function convert(text: string, options: Partial<ConvertOptions> = {}) {
  const parsed = parseDescription(text);
  const reading = parsed.ok ? readDescription(parsed.document) : undefined;
  if (!reading?.ok) throw new Error(JSON.stringify(reading));
  return convertDescription(reading.description, { routesPer: 'path', oasValidation: false, ...options });
}

function bundleOf(text: string, options?: Partial<ConvertOptions>) {
  const conversion = convert(text, options);
  if (!conversion.ok) throw new Error(JSON.stringify(conversion.problems));
  return conversion.bundle as {
    gateways?: Records;
    services: Records;
    routes: Records;
    plugins?: Records;
    tenant_id?: string;
  };
}

const lines = (routes: Records) =>
  routes.map(({ name, path, methods, service_name: service }) => [name, path, String(methods), service]);

describe('convertDescription', () => {
  it('makes a service for each address and a route for each path of it', () => {
    const bundle = bundleOf(shop, { tenantId: 'acme' });
    const labels = { 'openapi-title': 'Shop API', 'openapi-version': '1.4.0' };
    expect([bundle.tenant_id, bundle.gateways]).toEqual(['acme', [{ name: 'shop-api' }]]);
    expect(bundle.services).toEqual([
      { name: 'shop-api', gateway_name: 'shop-api', url: 'https://api.example.com/v1', labels },
      { name: 'shop-api-files.example.com', gateway_name: 'shop-api', url: 'https://files.example.com', labels },
    ]);
    expect(lines(bundle.routes)).toEqual([
      ['shop-api.files', '/files', 'GET', 'shop-api'],
      ['shop-api-files.example.com.upload', '/files', 'POST', 'shop-api-files.example.com'],
      ['shop-api.orders', '/orders', 'GET,POST', 'shop-api'],
      ['shop-api.orders.orderId', '~/orders/(?<orderId>[^/]+)$', 'GET', 'shop-api'],
    ]);
    expect(bundle.routes[3]).toEqual({
      name: 'shop-api.orders.orderId',
      gateway_name: 'shop-api',
      service_name: 'shop-api',
      description: 'One order',
      path: '~/orders/(?<orderId>[^/]+)$',
      path_type: 'regex',
      methods: ['GET'],
      strip_path: false,
      labels: { 'openapi-path': '/orders/{orderId}', 'openapi-operation': 'getOrder', 'openapi-deprecated': 'true' },
    });
    expect(bundle.routes[2]?.['labels']).toEqual({
      'openapi-path': '/orders',
      'openapi-tag-Public-things': 'true',
      'openapi-tag-orders': 'true',
    });
  });

  it('makes a route for each operation, called like it', () => {
    const { gateways, routes } = bundleOf(shop, { routesPer: 'operation', gateway: 'edge', serviceName: 'shop' });
    expect(gateways).toBeUndefined();
    expect(routes.map(({ name, methods, gateway_name: gateway }) => [name, methods, gateway])).toEqual([
      ['shop.files', ['GET'], 'edge'],
      ['shop-files.example.com.upload', ['POST'], 'edge'],
      ['shop.listOrders', ['GET'], 'edge'],
      ['shop.createOrder', ['POST'], 'edge'],
      ['shop.getOrder', ['GET'], 'edge'],
    ]);
  });

  it('warns of servers that are left out, and of authentication that nobody does', () => {
    const conversion = convert(shop);
    expect(conversion.ok && conversion.warnings).toEqual([
      {
        pointer: '/servers/0',
        code: 'several_servers',
        message: 'the first of 2 servers is taken: they are seldom meant to share requests',
      },
      {
        pointer: '/paths/~1orders/post',
        code: 'security',
        message: '1 operations ask for authentication, which no route does until a plugin is added',
      },
    ]);
  });

  it.each([
    ['https://api.example.com/v1', 'http://10.0.0.1:8080/base', 'http://10.0.0.1:8080/base'],
    ['/v1', 'http://10.0.0.1:8080', 'http://10.0.0.1:8080/v1'],
    ['v1', 'http://10.0.0.1:8080/api/', 'http://10.0.0.1:8080/api/v1'],
    ['/', 'http://10.0.0.1/base', 'http://10.0.0.1/base'],
    ['//other.example.com/x', 'https://10.0.0.1', 'https://other.example.com/x'],
    ['wss://live.example.com', undefined, 'https://live.example.com'],
    ['https://api.example.com', undefined, 'https://api.example.com'],
  ])('the server %s with --url %s is at %s', (server, url, address) => {
    const text = JSON.stringify({
      openapi: '3.0.0',
      info: {},
      servers: [{ url: server }],
      paths: { '/a': { get: {} } },
    });
    expect(bundleOf(text, { url }).services.map((service) => service['url'])).toEqual([address]);
  });

  it.each([
    ['/v1', 'is relative: --url says to which address'],
    ['ftp://h', 'must be an address of http or https without user, password, query and fragment'],
    ['https://user:secret-7@h', 'must be an address of http or https without user, password, query and fragment'],
    ['https://[bad', 'is not an address'],
  ])('the server %s is refused, and not repeated', (server, message) => {
    const text = JSON.stringify({
      openapi: '3.0.0',
      info: {},
      servers: [{ url: server }],
      paths: { '/a': { get: {} } },
    });
    const conversion = convert(text);
    expect(conversion).toEqual({ ok: false, problems: [{ pointer: '/servers/0', code: 'server', message }] });
  });

  it('refuses paths that no request has, and a description without operations', () => {
    const problems = (paths: unknown) => {
      const conversion = convert(JSON.stringify({ openapi: '3.0.0', info: {}, paths }), { url: 'http://h' });
      return conversion.ok ? [] : conversion.problems.map(({ pointer, code }) => `${pointer} ${code}`);
    };
    expect(problems({ '/a/../b': { get: {} } })).toEqual(['/paths/~1a~1..~1b/get invalid_path']);
    expect(problems({})).toEqual(['/paths no_operations']);
  });

  it('keeps names apart that would be one', () => {
    const paths = { '/a/{b}': { get: {} }, '/a/b': { get: {} }, '/A/b': { get: {} } };
    const text = JSON.stringify({ openapi: '3.0.0', info: { title: '!' }, paths });
    expect(bundleOf(text, { url: 'http://h' }).routes.map(({ name, path }) => [name, path])).toEqual([
      ['api.A.b', '/A/b'],
      ['api.a.b-2', '/a/b'],
      ['api.a.b-3', '~/a/(?<b>[^/]+)$'],
    ]);
  });

  it('follows x-portcullis-* of the description, of paths and of operations', () => {
    const limiter = { name: 'rate_limiter', config: { limit: 1, window_seconds: 1 } };
    const text = JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'T' },
      'x-portcullis-name': 'shop',
      'x-portcullis-service': { upstream_name: 'pool', retries: 1 },
      'x-portcullis-route': { hosts: ['shop.example.com'], preserve_host: true },
      'x-portcullis-plugins': [{ name: 'api_key_auth', config: {} }],
      paths: {
        '/a': {
          'x-portcullis-plugins': [limiter, { name: 'correlation_id' }],
          'x-portcullis-route': { preserve_host: false },
          get: {},
          put: {},
          post: { 'x-portcullis-name': 'make', 'x-portcullis-plugins': [{ ...limiter, enabled: false }] },
        },
      },
    });
    const { services, routes, plugins } = bundleOf(text, { url: 'http://h' });
    expect(services[0]).toMatchObject({ name: 'shop', upstream_name: 'pool', retries: 1 });
    expect(services[0]).not.toHaveProperty('url');
    expect(plugins).toEqual([
      { scope: 'service', gateway_name: 'shop', service_name: 'shop', name: 'api_key_auth', config: {} },
    ]);
    const shown = routes.map(({ name, methods, hosts, preserve_host: keeps, plugins }) => ({
      name,
      methods,
      hosts,
      keeps,
      plugins,
    }));
    const shared = { hosts: ['shop.example.com'], keeps: false };
    expect(shown).toEqual([
      { ...shared, name: 'shop.a.get.put', methods: ['GET', 'PUT'], plugins: [limiter, { name: 'correlation_id' }] },
      {
        ...shared,
        name: 'make',
        methods: ['POST'],
        plugins: [{ name: 'correlation_id' }, { ...limiter, enabled: false }],
      },
    ]);
  });

  it('refuses x-portcullis-* of the wrong form', () => {
    const paths = { '/a': { get: { 'x-portcullis-route': [], 'x-portcullis-plugins': {} } } };
    const conversion = convert(JSON.stringify({ openapi: '3.0.0', info: {}, 'x-portcullis-name': 1, paths }), {
      url: 'http://h',
    });
    expect(conversion.ok ? [] : conversion.problems.map(({ pointer }) => pointer)).toEqual([
      '/x-portcullis-name',
      '/paths/~1a/get/x-portcullis-plugins',
      '/paths/~1a/get/x-portcullis-route',
    ]);
  });

  it('checks requests against the description only when asked', () => {
    expect(bundleOf(shop).plugins).toBeUndefined();
    const { plugins } = bundleOf(shop, { oasValidation: true });
    expect(plugins?.map(({ name, scope, service_name: service }) => [name, scope, service])).toEqual([
      ['oas_validation', 'service', 'shop-api'],
      ['oas_validation', 'service', 'shop-api-files.example.com'],
    ]);
    expect(plugins?.[0]?.['config']).toMatchObject({ validate_request: true, spec: { openapi: '3.1.0' } });
  });

  it('gives the same bundle whatever the order of the description', () => {
    const parsed = parseDescription(shop);
    const reversed = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([key, inner]) => [key, reversed(inner)]),
          );
    const turned = JSON.stringify(parsed.ok ? reversed(parsed.document) : {});
    for (const routesPer of ['path', 'operation'] as const) {
      expect(JSON.stringify(bundleOf(turned, { routesPer }))).toBe(JSON.stringify(bundleOf(shop, { routesPer })));
    }
  });
});
