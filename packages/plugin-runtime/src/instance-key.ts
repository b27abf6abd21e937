import type { InlinePlugin, PluginInstance } from './instance.ts';
import type { Plugin } from './plugin.ts';

/**
 * What makes an instance another one: everything that its hooks and its policy are made of, but not where it matches. Configs
 * that are data compare by value; functions and objects of classes in them compare by identity.
 * @throws TypeError for a config that contains itself
 */
export function instanceKey(
  source: 'collection' | 'inline',
  id: string,
  tenantId: string,
  plugin: Plugin,
  record: Pick<PluginInstance | InlinePlugin, 'config' | 'execution'>,
): string {
  const { name, version } = plugin;
  const parts = [source, id, tenantId, name, version, record.config ?? {}, record.execution ?? {}];
  return JSON.stringify(parts, comparable);
}

/** What JSON would leave out or make the same of different values. */
function comparable(this: unknown, key: string, value: unknown): unknown {
  // What `toJSON` made of it (a date for instance) is not what the config holds.
  const held = (this as Readonly<Record<string, unknown>>)[key];
  if (typeof held === 'bigint' || (typeof held === 'number' && !Number.isFinite(held))) return [MARK, String(held)];
  if (typeof held === 'symbol') return [MARK, held.toString()];
  if (typeof held === 'function') return [MARK, identityOf(held)];
  if (typeof held !== 'object' || held === null || Array.isArray(held)) return value;
  const prototype: unknown = Object.getPrototypeOf(held);
  return prototype === Object.prototype || prototype === null ? value : [MARK, identityOf(held)];
}

/** No text of a config begins with it by chance. */
const MARK = '\u0000identity';

/** Numbers of objects that only their identity tells apart. An entry goes with its object. */
const identities = new WeakMap<object, number>();
let identityCount = 0;

function identityOf(value: object): number {
  let identity = identities.get(value);
  if (identity === undefined) {
    identity = identityCount += 1;
    identities.set(value, identity);
  }
  return identity;
}
