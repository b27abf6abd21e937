import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { executionPolicy, pluginName, pluginPriority, pluginScopes, pluginTriggers } from './plugin-fields.ts';

const selectorFields = [
  'gateway_id',
  'workspace_id',
  'service_id',
  'service_name',
  'route_id',
  'route_name',
  'consumer_id',
  'consumer_group',
] as const;

const selector = (about: string) => v.optional(v.pipe(field.reference, v.description(about)));
const selectorName = (about: string) => v.optional(v.pipe(field.name, v.description(about)));

/** Plugin instances. Source: spec, Plugin instance (collection). */
export const plugins: Family = {
  name: 'plugins',
  singular: 'plugin',
  summary: 'Plugin instances: behaviour attached to a scope of traffic',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  collectionPaths: ['/admin/plugins', '/plugins', '/api/v1/plugins'],
  fields: {
    name: pluginName,
    description: field.description,
    labels: field.labels,
    enabled: field.enabled,
    trigger: v.optional(
      v.pipe(v.picklist(pluginTriggers), v.description("When it runs; the package's first trigger when absent")),
    ),
    scope: v.optional(v.pipe(v.picklist(pluginScopes), v.description('Whose traffic it sees')), 'tenant'),
    gateway_id: selector('Matches requests of this gateway'),
    workspace_id: selector('Matches requests of this workspace'),
    service_id: selector('Matches requests to this service'),
    service_name: selectorName('Matches requests to a service of this name'),
    route_id: selector('Matches requests of this route'),
    route_name: selectorName('Matches requests of a route of this name'),
    consumer_id: selector('Matches requests of this consumer, once authenticated'),
    consumer_group: selectorName('Matches requests of consumers in this group, once authenticated'),
    priority: pluginPriority,
    execution: executionPolicy,
    config: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.description("Checked against the package's config_schema before it is stored"),
      ),
      {},
    ),
  },
  readOnlyFields: {},
  references: [
    {
      field: 'gateway_id',
      family: 'gateways',
      nameField: 'gateway_name',
      nameScope: 'tenant',
      whenTargetIsDeleted: 'cascade',
    },
    { field: 'workspace_id', family: 'workspaces', nameScope: 'tenant', whenTargetIsDeleted: 'cascade' },
    { field: 'service_id', family: 'services', nameScope: 'gateway', whenTargetIsDeleted: 'cascade' },
    { field: 'route_id', family: 'routes', nameScope: 'gateway', whenTargetIsDeleted: 'cascade' },
    {
      field: 'consumer_id',
      family: 'consumers',
      nameField: 'consumer_name',
      nameScope: 'tenant',
      whenTargetIsDeleted: 'cascade',
    },
  ],
  keys: [],
  filters: ['scope', 'trigger', 'service_name', 'route_name', 'consumer_group'],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: {
    key: 'plugins',
    level: 6,
    matchBy: ['name', 'scope', ...selectorFields],
  },
  deliveredToGateways: true,
};
