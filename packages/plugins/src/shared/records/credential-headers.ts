import type { PluginHooks, PluginServices } from '@portcullis/plugin-runtime';
import { ProcessSpaces, type HeldSpace } from '../process-spaces.ts';
import { saysCredential } from './redaction.ts';

/** Names of headers in lower case, with how many instances put a credential there. */
type CredentialHeaders = Map<string, number>;

/** Of each tenant: what one package knows counts for the records of all, also of requests that were refused before they reached it. */
const spaces = new ProcessSpaces<CredentialHeaders>();

/** What tells a tenant's process apart. */
type Owner = Pick<PluginServices, 'clock' | 'instance'>;

/**
 * Hooks of an instance that reads a client's credential from headers, or sends one in them: as long as it is there, no record of its tenant
 * has what stands in them.
 * @param names as configured; one that says itself what it holds is redacted anyway
 */
export function withCredentialHeaders(names: readonly string[], owner: Owner, hooks: PluginHooks): PluginHooks {
  const hidden = names.map((name) => name.toLowerCase()).filter((name) => !saysCredential(name));
  if (hidden.length === 0) return hooks;
  const { space, release } = spaceOf(owner);
  for (const name of hidden) space.set(name, (space.get(name) ?? 0) + 1);
  return {
    ...hooks,
    dispose() {
      for (const name of hidden) forget(space, name);
      release();
      return hooks.dispose?.();
    },
  };
}

/** The names that the tenant's instances told; what is there follows them. Release it when they are read no more. */
export function credentialHeadersOf(owner: Owner): HeldSpace<Pick<ReadonlyMap<string, unknown>, 'has'>> {
  return spaceOf(owner);
}

function spaceOf({ clock, instance }: Owner): HeldSpace<CredentialHeaders> {
  return spaces.hold(clock, [instance.tenantId], () => new Map());
}

function forget(space: CredentialHeaders, name: string): void {
  const left = (space.get(name) ?? 0) - 1;
  if (left > 0) space.set(name, left);
  else space.delete(name);
}
