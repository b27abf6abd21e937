import type { Executor } from '../database/database.ts';
import type { FieldProblem } from '../http/problem.ts';
import { toPointer } from '../resources/json-pointer.ts';
import type { Values } from '../resources/values.ts';
import type { ResourceStore } from '../store/resource-store.ts';

/** Families whose records selectors name by ID and are compared with. */
export type SelectedFamily = 'gateways' | 'services' | 'routes';

/** A record that selectors lead to. */
export interface SelectedRecord {
  readonly id: string;
  readonly gatewayId: string | null;
  readonly name: string | null;
  readonly body: Values;
}

/** Finds a record by ID; nothing for what is no ID. */
export type FindSelected = (family: SelectedFamily, id: unknown) => SelectedRecord | undefined;

/**
 * Selectors of a plugin instance that no request can meet together: all given ones must match (spec, Scope matching rules, 1).
 * The records that they refer to are known to exist. Names of services and routes by themselves may name what is yet to come.
 * Pure.
 */
export function selectorContradictions(values: Values, find: FindSelected): readonly FieldProblem[] {
  const { route, service, namedService: named, gateway } = selectedBy(values, find);
  const { gateway_id: gatewayId, workspace_id: workspaceId } = values;
  const problems: FieldProblem[] = [];
  const report = (field: string, message: string): void =>
    void problems.push({ pointer: toPointer([field]), code: 'contradiction', message });

  if (gatewayId !== undefined && service && service.gatewayId !== gatewayId) {
    report('service_id', 'belongs to another gateway than gateway_id');
  }
  if (gatewayId !== undefined && route && route.gatewayId !== gatewayId) {
    report('route_id', 'belongs to another gateway than gateway_id');
  }
  if (workspaceId !== undefined && gateway && gateway.body['workspace_id'] !== workspaceId) {
    report('workspace_id', `is not the workspace of the gateway that ${gatewaySelector(values)} means`);
  }
  if (service && route && route.body['service_id'] !== service.id) {
    report('route_id', 'leads to another service than service_id');
  }
  if (values['service_name'] !== undefined && (service ?? route) && named?.name !== values['service_name']) {
    report('service_name', service ? 'is not the name of service_id' : 'is not the service that route_id leads to');
  }
  if (values['route_name'] !== undefined && route && route.name !== values['route_name']) {
    report('route_name', 'is not the name of route_id');
  }
  return problems;
}

/** The same where the records are in the store. */
export async function selectorProblems(
  store: ResourceStore,
  executor: Executor,
  tenantId: string,
  values: Values,
): Promise<readonly FieldProblem[]> {
  const known = new Map<string, SelectedRecord>();
  const find: FindSelected = (family, id) => known.get(`${family}/${String(id)}`);
  const fetch = async (family: SelectedFamily, id: unknown): Promise<SelectedRecord | undefined> => {
    const found = typeof id === 'string' ? await store.get(executor, tenantId, family, id) : undefined;
    if (found) known.set(`${family}/${found.id}`, found);
    return found;
  };
  const route = await fetch('routes', values['route_id']);
  const service = await fetch('services', values['service_id']);
  if (!service && values['service_name'] !== undefined) await fetch('services', route?.body['service_id']);
  if (values['workspace_id'] !== undefined) {
    await fetch('gateways', values['gateway_id'] ?? route?.gatewayId ?? service?.gatewayId);
  }
  return selectorContradictions(values, find);
}

function selectedBy(values: Values, find: FindSelected) {
  const route = find('routes', values['route_id']);
  const service = find('services', values['service_id']);
  const namedService = service ?? find('services', route?.body['service_id']);
  const gateway = find('gateways', values['gateway_id'] ?? route?.gatewayId ?? service?.gatewayId);
  return { route, service, namedService, gateway };
}

function gatewaySelector(values: Values): string {
  return ['gateway_id', 'route_id', 'service_id'].find((field) => values[field] !== undefined) ?? '';
}
