import type { ChainPlace, PluginLog } from '@portcullis/plugin-runtime';
import { earlyWarning } from '../early-warning.ts';
import type { ClientKeyFields } from './client-key.ts';

/**
 * What a limit does with its place in the chain. Where the config itself says that clients are told apart by who they are, running before
 * authentication is a mistake. Without `limit_by` it may be meant: addresses are counted then.
 */
export function limitPlace(
  plugin: string,
  { limit_by: limitBy, identifier, scope }: ClientKeyFields,
  log: PluginLog,
): (place: ChainPlace) => void {
  const asked = limitBy ?? identifier;
  const asksWho = [asked, scope].some((one) => one !== undefined && IDENTITIES.has(one));
  return asksWho ? earlyWarning(plugin, 'it counts client addresses', log) : () => undefined;
}

const IDENTITIES: ReadonlySet<string> = new Set(['consumer', 'consumer_group', 'credential']);
