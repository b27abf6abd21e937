import type { ConsumerIdentity, NamedRecord } from './exchange.ts';
import type { PluginInstance, Scope } from './instance.ts';

/** The traffic that a chain is for: everything about a request that its configuration already says. */
export interface ChainTarget {
  /** Default: the runtime's. */
  readonly tenantId?: string;
  readonly gateway: NamedRecord;
  readonly workspaceId?: string;
  /** Absent when no route matched, or the route has none. */
  readonly service?: NamedRecord;
  /** Absent when no route matched. */
  readonly route?: NamedRecord;
}

/** A field of an instance that narrows its traffic. */
export type Selector =
  | 'gateway_id'
  | 'workspace_id'
  | 'service_id'
  | 'service_name'
  | 'route_id'
  | 'route_name'
  | 'consumer_id'
  | 'consumer_group';

/** The selectors of which a scope needs at least one. Source: spec, Scope matching rules. */
export const SCOPE_SELECTORS: Readonly<Record<Scope, readonly Selector[]>> = {
  global: [],
  tenant: [],
  gateway: ['gateway_id'],
  workspace: ['workspace_id'],
  service: ['service_id', 'service_name'],
  route: ['route_id', 'route_name'],
  consumer: ['consumer_id'],
  consumer_group: ['consumer_group'],
};

/** What a request's consumer must be for an instance to run. Known only when an authentication plugin has run. */
export interface ConsumerGuard {
  readonly consumerId: string | undefined;
  readonly group: string | undefined;
}

/**
 * The first selector that a target does not meet, or `undefined` when all are met. Selectors of consumers are left to
 * {@link consumerGuardOf}. When several are given, all must match. Source: spec, Scope matching rules.
 */
export function mismatchOf(
  instance: PluginInstance,
  target: ChainTarget,
): Exclude<Selector, 'consumer_id' | 'consumer_group'> | 'tenant_id' | undefined {
  const { gateway, service, route } = target;
  if (differs(instance.tenant_id, target.tenantId ?? instance.tenant_id)) return 'tenant_id';
  if (differs(instance.gateway_id, gateway.id)) return 'gateway_id';
  if (differs(instance.workspace_id, target.workspaceId)) return 'workspace_id';
  if (differs(instance.service_id, service?.id)) return 'service_id';
  if (differs(instance.service_name, service?.name)) return 'service_name';
  if (differs(instance.route_id, route?.id)) return 'route_id';
  if (differs(instance.route_name, route?.name)) return 'route_name';
  return undefined;
}

/** The guard of an instance that wants a certain consumer; `undefined` when any client will do. */
export function consumerGuardOf(instance: PluginInstance): ConsumerGuard | undefined {
  const { consumer_id: consumerId, consumer_group: group } = instance;
  return consumerId === undefined && group === undefined ? undefined : { consumerId, group };
}

/** Whether a request's consumer passes a guard. Nobody identified never passes. */
export function passesGuard(guard: ConsumerGuard, consumer: ConsumerIdentity | undefined): boolean {
  if (consumer === undefined) return false;
  if (guard.consumerId !== undefined && guard.consumerId !== consumer.id) return false;
  return guard.group === undefined || consumer.groups.includes(guard.group);
}

function differs(wanted: string | undefined, actual: string | undefined): boolean {
  return wanted !== undefined && wanted !== actual;
}
