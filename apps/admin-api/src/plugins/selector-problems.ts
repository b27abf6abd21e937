import type { Executor } from '../database/database.ts';
import type { FieldProblem } from '../http/problem.ts';
import { toPointer } from '../resources/json-pointer.ts';
import type { Values } from '../resources/values.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';

/**
 * Selectors of a plugin instance that no request can meet together: all given ones must match (spec, Scope matching rules, 1).
 * The records that they refer to are known to exist. Names of services and routes by themselves may name what is yet to come.
 */
export async function selectorProblems(
  store: ResourceStore,
  executor: Executor,
  tenantId: string,
  values: Values,
): Promise<readonly FieldProblem[]> {
  const get = async (family: string, id: unknown): Promise<StoredRecord | undefined> =>
    typeof id === 'string' ? store.get(executor, tenantId, family, id) : undefined;
  const route = await get('routes', values['route_id']);
  const service = await get('services', values['service_id']);
  const named =
    service ?? (values['service_name'] === undefined ? undefined : await get('services', route?.body['service_id']));
  const gatewayId = values['gateway_id'];
  const problems: FieldProblem[] = [];
  const report = (field: string, message: string): void =>
    void problems.push({ pointer: toPointer([field]), code: 'contradiction', message });

  if (gatewayId !== undefined && service && service.gatewayId !== gatewayId) {
    report('service_id', 'belongs to another gateway than gateway_id');
  }
  if (gatewayId !== undefined && route && route.gatewayId !== gatewayId) {
    report('route_id', 'belongs to another gateway than gateway_id');
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
