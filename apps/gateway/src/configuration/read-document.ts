import { configurationDocument, type ConfigurationDocument } from '@portcullis/resources';
import * as v from 'valibot';
import { type ErrorList, pointerOf } from './configuration-errors.ts';
import * as records from './records.ts';

/** A record with its place in the document. */
export interface Placed<Value> {
  readonly value: Value;
  readonly pointer: string;
}

/** The records of a document, checked; disabled ones and those of other gateways are left out. */
export interface ReadDocument {
  readonly tenantId: string;
  readonly gateway: records.GatewayRecord;
  readonly services: readonly Placed<records.ServiceRecord>[];
  readonly routes: readonly Placed<records.RouteRecord>[];
  readonly upstreams: readonly Placed<records.UpstreamRecord>[];
  readonly targets: readonly Placed<records.TargetRecord>[];
  readonly consumers: readonly Placed<records.ConsumerRecord>[];
  readonly credentials: readonly Placed<records.CredentialRecord>[];
  readonly plugins: readonly Placed<records.PluginRecord>[];
}

/** Checks the frame of a document. The records are read by {@link readDocument}. */
export function checkDocument(value: unknown, errors: ErrorList): ConfigurationDocument | undefined {
  return check(configurationDocument, value, '', errors);
}

/** Checks every record of a document; mistakes go to `errors`, those of routes to `routeErrors`. */
export function readDocument(
  document: ConfigurationDocument,
  errors: ErrorList,
  routeErrors: ErrorList,
): ReadDocument | undefined {
  const { resources } = document;
  const gateway = check(records.gatewayRecord, resources.gateway, '/resources/gateway', errors);
  const family = <Value>(
    name: keyof typeof resources,
    schema: v.GenericSchema<unknown, Value>,
    list = errors,
  ): Placed<Value>[] =>
    enabledRecords(schema, resources[name] as readonly Record<string, unknown>[], `/resources/${name}`, list);
  const read = {
    services: family('services', records.serviceRecord),
    routes: family('routes', records.routeRecord, routeErrors),
    upstreams: family('upstreams', records.upstreamRecord),
    targets: family('targets', records.targetRecord),
    consumers: family('consumers', records.consumerRecord),
    credentials: family('consumer_credentials', records.credentialRecord),
    plugins: family('plugins', records.pluginRecord),
  };
  if (gateway === undefined || errors.errors.length > 0) return undefined;
  const isOurs = ({ value }: Placed<records.ConsumerRecord>): boolean =>
    (value.gateway_id ?? gateway.id) === gateway.id;
  return { ...read, tenantId: document.tenant_id, gateway, consumers: read.consumers.filter(isOurs) };
}

function enabledRecords<Value>(
  schema: v.GenericSchema<unknown, Value>,
  values: readonly Record<string, unknown>[],
  pointer: string,
  errors: ErrorList,
): Placed<Value>[] {
  const placed: Placed<Value>[] = [];
  for (const [index, value] of values.entries()) {
    if (value['enabled'] === false) continue;
    const checked = check(schema, value, `${pointer}/${index}`, errors);
    if (checked !== undefined) placed.push({ value: checked, pointer: `${pointer}/${index}` });
  }
  return placed;
}

function check<Value>(
  schema: v.GenericSchema<unknown, Value>,
  value: unknown,
  pointer: string,
  errors: ErrorList,
): Value | undefined {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  for (const issue of result.issues) {
    const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
    errors.add(`${pointer}${pointerOf(path)}`, `expected ${issue.expected ?? 'another value'}`);
  }
  return undefined;
}
