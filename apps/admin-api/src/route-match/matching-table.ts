import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InlinePlugin, PluginInstance } from '@portcullis/plugin-runtime';
import { compileRouteExpression, familyNamed, readRoutePath } from '@portcullis/resources';
import {
  buildRouteTable,
  HostTable,
  routeRuleOf,
  type RouteFields,
  type RouteRule,
  type RouteTable,
} from '@portcullis/router';
import type { Executor } from '../database/database.ts';
import { isValues, without, type Values } from '../resources/values.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';

/** A route as it is matched, and what an explanation says of it besides. */
export interface ExplainedRoute extends RouteRule {
  readonly serviceId: string | undefined;
  readonly stripPath: boolean;
  readonly protocols: readonly string[];
  readonly redirectStatus: number;
  /** Without their configs. */
  readonly plugins: readonly InlinePlugin[];
}

/** What a gateway matches requests with, at one revision. */
export interface MatchingTable {
  readonly gateway: { readonly id: string; readonly name: string };
  readonly workspaceId: string | undefined;
  /** Hosts that the gateway answers for; `undefined` means all. */
  readonly hosts: HostTable<true> | undefined;
  readonly allowsEncodedSlashes: boolean;
  readonly routes: RouteTable<ExplainedRoute>;
  /** The tenant's plugin instances, without their configs. */
  readonly instances: readonly PluginInstance[];
}

/** Where a table is read from. */
export interface MatchingView {
  readonly store: ResourceStore;
  readonly executor: Executor;
  readonly tenantId: string;
  readonly gateway: StoredRecord;
  readonly monotonicMs: () => number;
}

/** How long building a table may hold up everybody else. */
const sliceMs = 4;
/** Protocols of requests that gateways take. */
const servedProtocols = ['http', 'https'];

/**
 * Reads what a gateway serves: as it does itself, without routes that are disabled, whose service is, or that ask for a
 * protocol which does not come in. Page by page, and built in slices.
 */
export async function readMatchingTable(view: MatchingView): Promise<MatchingTable> {
  const { store, executor, tenantId, gateway, monotonicMs } = view;
  let sliceEndsAtMs = monotonicMs() + sliceMs;
  const isSliceOver = (): boolean => monotonicMs() >= sliceEndsAtMs;
  const pause = async (): Promise<void> => {
    await nextTurn();
    sliceEndsAtMs = monotonicMs() + sliceMs;
  };
  const away = new Set<string>();
  for await (const page of store.scan(executor, tenantId, familyNamed('services').name, gateway.id)) {
    for (const { id, body } of page) if (body['enabled'] === false) away.add(id);
  }
  const routes: ExplainedRoute[] = [];
  for await (const page of store.scan(executor, tenantId, familyNamed('routes').name, gateway.id)) {
    for (const record of page) {
      const route = explainedRoute(record);
      if (route !== undefined && !away.has(route.serviceId ?? '')) routes.push(route);
      // Reading a route compiles its expressions, to see that they are sound.
      if (isSliceOver()) await pause();
    }
  }
  const instances: PluginInstance[] = [];
  for await (const page of store.scan(executor, tenantId, familyNamed('plugins').name)) {
    for (const { id, body } of page) instances.push({ ...without(body, 'config', 'labels'), id } as PluginInstance);
  }
  const hosts = textsOf(gateway.body['hosts']);
  const workspace = gateway.body['workspace'];
  const workspaceId = gateway.body['workspace_id'] ?? (isValues(workspace) ? workspace['id'] : undefined);
  return {
    gateway: { id: gateway.id, name: String(gateway.body['name']) },
    workspaceId: typeof workspaceId === 'string' ? workspaceId : undefined,
    hosts: hosts.length === 0 ? undefined : hostTable(hosts),
    allowsEncodedSlashes: gateway.body['allow_encoded_slashes'] !== false,
    routes: await buildRouteTable(routes, { compile: compileRouteExpression, isSliceOver, pause }),
    instances,
  };
}

/** `undefined` for a route that no request of the gateway can meet. */
function explainedRoute({ id, body, createdAtMs }: StoredRecord): ExplainedRoute | undefined {
  const protocols = textsOf(body['protocols']);
  const isServed = protocols.length === 0 || protocols.some((protocol) => servedProtocols.includes(protocol));
  if (body['enabled'] === false || !isServed) return undefined;
  let isSound = true;
  // The record passed its family's schema, which fills in the defaults.
  const fields = { ...body, id, created_at_ms: createdAtMs } as unknown as RouteFields;
  const rule = routeRuleOf(fields, readRoutePath, () => void (isSound = false));
  if (!isSound) return undefined;
  const serviceId = body['service_id'];
  return {
    ...rule,
    serviceId: typeof serviceId === 'string' ? serviceId : undefined,
    stripPath: body['strip_path'] !== false,
    protocols,
    redirectStatus: Number(body['https_redirect_status_code'] ?? 426),
    plugins: listOf(body['plugins']).map((entry) => without(entry, 'config') as unknown as InlinePlugin),
  };
}

function hostTable(hosts: readonly string[]): HostTable<true> {
  const table = new HostTable<true>();
  for (const host of hosts) table.obtain(host, () => true);
  return table;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function listOf(value: unknown): Values[] {
  return Array.isArray(value) ? value.filter(isValues) : [];
}
