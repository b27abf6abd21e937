/** A bundle as it is sent. */
export interface SampleBundle {
  readonly tenant_id: string;
  readonly [collection: string]: unknown;
}

/** Routes behind one service, and services behind one upstream: what larger installations look like. */
const routesPerService = 10;
const servicesPerUpstream = 4;
/** The gateway that everything lies in. */
export const sampleGateway = 'edge';

/**
 * A bundle of exactly `entities` records by name: of a hundred about 47 routes, 36 consumers, 11 plugin instances (each of a route),
 * 5 services and one upstream. The same for the same number.
 * @param entities at least 100
 */
export function mixedBundle(tenantId: string, entities: number): SampleBundle {
  const routes = Math.floor(entities * 0.47);
  const plugins = Math.floor(entities * 0.11);
  const parts = placesFor(tenantId, routes);
  const others = parts.gateways.length + parts.upstreams.length + parts.services.length;
  return {
    ...parts,
    consumers: consumersOf(entities - routes - plugins - others),
    plugins: Array.from({ length: plugins }, (_, index) => ({
      name: 'request_transformer',
      gateway_name: sampleGateway,
      route_name: routeName(index),
      enabled: true,
      config: { add_headers: { 'x-place': String(index) } },
    })),
  };
}

/** A bundle of routes, what they need, and consumers. */
export function routesAndConsumers(tenantId: string, routes: number, consumers: number): SampleBundle {
  return { ...placesFor(tenantId, routes), consumers: consumersOf(consumers) };
}

/** A bundle that holds one route of {@link mixedBundle}, with another path. */
export function oneRoute(tenantId: string, index: number, path: string): SampleBundle {
  return { tenant_id: tenantId, routes: [{ ...routeOf(index), path }] };
}

function placesFor(tenantId: string, routes: number) {
  const services = Math.ceil(routes / routesPerService);
  return {
    tenant_id: tenantId,
    gateways: [{ name: sampleGateway }],
    upstreams: Array.from({ length: Math.ceil(services / servicesPerUpstream) }, (_, index) => ({
      name: `upstream-${index}`,
      gateway_name: sampleGateway,
    })),
    services: Array.from({ length: services }, (_, index) => ({
      name: `service-${index}`,
      gateway_name: sampleGateway,
      upstream_name: `upstream-${Math.floor(index / servicesPerUpstream)}`,
    })),
    routes: Array.from({ length: routes }, (_, index) => routeOf(index)),
  };
}

function routeOf(index: number) {
  return {
    name: routeName(index),
    gateway_name: sampleGateway,
    service_name: `service-${Math.floor(index / routesPerService)}`,
    path: `/things/${index}`,
    methods: ['GET', 'POST'],
    labels: { team: `team-${index % 20}`, stage: 'production' },
  };
}

function consumersOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    username: `consumer-${index}`,
    custom_id: `customer-${index}`,
    labels: { plan: index % 3 === 0 ? 'gold' : 'free' },
  }));
}

function routeName(index: number): string {
  return `route-${index}`;
}
