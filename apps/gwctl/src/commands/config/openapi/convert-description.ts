import type { Description, Operation } from '@portcullis/openapi';
import { fieldLimits, hasAtMost } from '@portcullis/resources';
import { overridesOf } from './extensions.ts';
import { plainText, routeLabels, serviceLabels } from './labels.ts';
import { slug, uniqueNames } from './names.ts';
import { routeGroups } from './route-groups.ts';
import type { RouteGroup, RoutesPer } from './route-groups.ts';
import { routePath } from './route-path.ts';
import { planServices } from './services.ts';
import type { Tell } from './services.ts';
import { templatePriorities } from './template-order.ts';

/** What the bundle is to be like. */
export interface ConvertOptions {
  readonly tenantId?: string | undefined;
  /** A gateway that exists; without one the bundle makes one that is called like the service. */
  readonly gateway?: string | undefined;
  readonly serviceName?: string | undefined;
  /** See `planServices`. */
  readonly url?: string | undefined;
  readonly routesPer: RoutesPer;
  /** Whether requests are checked against the description. The control plane must have the package `oas_validation`. */
  readonly oasValidation: boolean;
}

/** Something that is wrong, or that a reader should know; `pointer` is into the description. */
export interface ConversionNote {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** A bundle, or why there is none. */
export type Conversion =
  | { readonly ok: true; readonly bundle: Record<string, unknown>; readonly warnings: readonly ConversionNote[] }
  | { readonly ok: false; readonly problems: readonly ConversionNote[] };

/** Turns a description into a configuration bundle. Descriptions that differ in their order only give the same bundle. */
export function convertDescription(description: Description, options: ConvertOptions): Conversion {
  const problems: ConversionNote[] = [];
  const warnings: ConversionNote[] = [];
  const refuse: Tell = (pointer, code, message) => problems.push({ pointer, code, message });
  const refuseAt = (pointer: string) => (name: string, message: string) =>
    refuse(`${pointer}/${name}`, 'extension', message);
  const warn: Tell = (pointer, code, message) => warnings.push({ pointer, code, message });

  const overrides = overridesOf(description.document, refuseAt(''));
  const base = options.serviceName ?? overrides.name ?? (slug(description.title).toLowerCase() || 'api');
  const gateway = options.gateway ?? base;
  const plan = planServices(description, { base, url: options.url }, refuse, warn);
  const groups = routeGroups(description.operations, options.routesPer, plan.serviceOf, refuseAt);
  if (description.operations.length === 0) refuse('/paths', 'no_operations', 'has no operations to make routes of');
  warnOfSecurity(description.operations, warn);

  const plugins = plan.services.flatMap(([service]) => {
    const scope = { scope: 'service', gateway_name: gateway, service_name: service };
    const validation = {
      name: 'oas_validation',
      ...scope,
      config: { spec: description.document, validate_request: true },
    };
    return [
      ...overrides.plugins.map((entry) => ({ ...scope, ...entry })),
      ...(options.oasValidation ? [validation] : []),
    ];
  });
  const labels = serviceLabels(description);
  const bundle = {
    ...(options.tenantId !== undefined && { tenant_id: options.tenantId }),
    ...(options.gateway === undefined && { gateways: [{ name: gateway }] }),
    services: plan.services.map(([name, url]) => {
      const leadsElsewhere = ['url', 'upstream_id', 'upstream_name'].some((field) => field in overrides.service);
      return { name, gateway_name: gateway, ...(!leadsElsewhere && { url }), labels, ...overrides.service };
    }),
    routes: routesOf(groups, { gateway, defaults: overrides.route }, refuse),
    ...(plugins.length > 0 && { plugins }),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, bundle, warnings };
}

function routesOf(
  groups: readonly RouteGroup[],
  { gateway, defaults }: { readonly gateway: string; readonly defaults: Readonly<Record<string, unknown>> },
  refuse: Tell,
): readonly unknown[] {
  const priorities = templatePriorities(groups);
  const free = uniqueNames();
  // Names that the description gives are handed out before those that are made.
  const given = groups.map(({ givenName }) => (givenName === undefined ? undefined : free(givenName)));
  return groups.flatMap((group, index) => {
    const path = routePath(group.segments);
    const [first] = group.operations;
    if (!path.ok) refuse(first?.pointer ?? '', 'invalid_path', `the path ${path.message}`);
    if (!path.ok) return [];
    const priority = priorities.get(group.path);
    const description = group.operations.length === 1 ? plainText(first?.summary ?? '') : '';
    const isDescribed = description !== '' && hasAtMost(description, fieldLimits.descriptionLengthMax);
    return [
      {
        name: given[index] ?? free(`${group.service}.${group.madeName}`),
        gateway_name: gateway,
        service_name: group.service,
        ...(isDescribed && { description }),
        path: path.path,
        path_type: path.path_type,
        ...(priority !== undefined && { regex_priority: priority }),
        methods: group.operations.map(({ method }) => method),
        // The service's address has the base path of the description; what the route matches comes after it.
        strip_path: false,
        labels: routeLabels(group.path, group.operations),
        ...defaults,
        ...group.overrides,
        ...(group.plugins.length > 0 && { plugins: group.plugins }),
      },
    ];
  });
}

/** Nobody should think that the gateway asks for what the description asks for. */
function warnOfSecurity(operations: readonly Operation[], warn: Tell): void {
  const secured = operations.filter(({ security }) => security.length > 0 && security.every((all) => all.length > 0));
  const [first] = secured;
  if (first === undefined) return;
  const message = `${secured.length} operations ask for authentication, which no route does until a plugin is added`;
  warn(first.pointer, 'security', message);
}
