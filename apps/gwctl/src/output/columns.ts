import { metadataOf } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';

/** Columns beside the ID, at most: more do not fit a terminal. */
export const columnsMax = 6;

/** What people look for first in a family's records. A family that is not here shows its first short fields. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  tenants: ['name', 'status', 'parent_slug', 'updated_at'],
  users: ['username', 'role', 'enabled', 'updated_at'],
  teams: ['name', 'roles', 'organization_id', 'member_ids'],
  'api-tokens': ['name', 'scopes', 'prefix', 'expires_at', 'last_used_at'],
  gateways: ['name', 'hosts', 'proxy_url', 'updated_at'],
  'ai-records': ['name', 'kind', 'enabled', 'updated_at'],
  certificates: ['name', 'snis', 'subject', 'key_type', 'not_after'],
  'ca-certificates': ['name', 'subject', 'not_after'],
  consumers: ['username', 'custom_id', 'groups', 'enabled'],
  'consumer-credentials': ['name', 'type', 'consumer_id', 'enabled', 'expires_at', 'last_used_at'],
  upstreams: ['name', 'algorithm', 'host_header', 'updated_at'],
  services: ['name', 'enabled', 'url', 'upstream_id', 'retries'],
  routes: ['name', 'enabled', 'path', 'paths', 'methods', 'service_id'],
  targets: ['name', 'upstream_id', 'weight', 'priority', 'enabled'],
  plugins: ['name', 'enabled', 'scope', 'trigger', 'priority'],
  'data-planes': ['name', 'gateway_id', 'status', 'sync_status', 'version', 'last_seen'],
};

/** Fields of every record that tables name by themselves, or that say little in a column. */
const unfit = new Set(['name', 'username', 'description', 'labels', 'metadata', 'config', 'config_schema']);

/** Heads of a table of a family's records, the same for every page: scripts count on them. Never a secret. */
export function columnsOf(family: Family): readonly string[] {
  const own = chosen[family.name];
  if (own) return ['id', ...own];
  const nameField = ['name', 'username'].filter((field) => field in family.fields);
  const others = Object.entries({ ...family.fields, ...family.readOnlyFields }).flatMap(([field, schema]) => {
    const { secret, writeOnly } = metadataOf(schema);
    return unfit.has(field) || secret === true || writeOnly === true ? [] : [field];
  });
  return ['id', ...nameField, ...others.slice(0, columnsMax - nameField.length - 1), 'updated_at'];
}
