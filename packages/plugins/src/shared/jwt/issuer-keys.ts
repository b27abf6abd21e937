import type { Awaitable, PluginServices } from '@portcullis/plugin-runtime';
import { KeyRing } from './key-ring.ts';
import { readPublicKeys } from './public-keys.ts';
import { RemoteKeys, type Renewal } from './remote-keys.ts';

/** Where the keys of an issuer come from. */
export interface IssuerKeys {
  /** The keys, if they are known. */
  current(): KeyRing | undefined;
  /** Fetches the keys. Rejects when they cannot be had. */
  loaded(): Promise<KeyRing>;
  /** Looks for newer keys than these. */
  renewed(seen: KeyRing): Awaitable<Renewal>;
  close(): void;
}

/** What may stand where public keys are asked for: an address of keys, or the keys. */
export function isKeySetAddress(text: string): boolean {
  return /^https?:/i.test(text.trim());
}

/**
 * The keys of a text that was checked: an address or the keys themselves.
 * @throws TypeError for a text that was not
 */
export function issuerKeys(text: string, services: Pick<PluginServices, 'clock' | 'log' | 'outbound'>): IssuerKeys {
  if (isKeySetAddress(text)) return new RemoteKeys(text.trim(), services);
  const { keys, mistake } = readPublicKeys(text);
  if (keys === undefined) throw new TypeError(mistake);
  const ring = new KeyRing(keys);
  return {
    current: () => ring,
    loaded: () => Promise.resolve(ring),
    renewed: () => 'current',
    close() {},
  };
}
