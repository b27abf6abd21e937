import type { Description, Operation, Server } from '@portcullis/openapi';
import { parseServiceUrl } from '@portcullis/resources';
import { slug, uniqueNames } from './names.ts';

/** An address that a service is made for, or why it cannot be. */
type Address = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly message: string };

/** Services by the addresses that operations go to. */
export interface ServicePlan {
  /** Name to address, sorted by name. */
  readonly services: readonly (readonly [name: string, url: string])[];
  readonly serviceOf: (operation: Operation) => string | undefined;
}

/** Told of what is wrong, or unwise, with its place in the description. */
export type Tell = (pointer: string, code: string, message: string) => void;

/**
 * One service for each address that operations have as their first server. The description's own is called `base`; those of paths
 * and operations have their host behind it.
 * @param url stands for the description's own servers; relative ones are resolved against it
 */
export function planServices(
  description: Description,
  { base, url }: { readonly base: string; readonly url: string | undefined },
  refuse: Tell,
  warn: Tell,
): ServicePlan {
  const addresses = new Map<Server, string>();
  for (const { servers } of description.operations) {
    const [first, ...others] = servers;
    if (first === undefined || addresses.has(first)) continue;
    const isOwn = servers === description.servers;
    const address = addressOf(first, url, isOwn);
    if (!address.ok) refuse(first.pointer, 'server', address.message);
    else addresses.set(first, address.url);
    if (others.length > 0 && !(isOwn && url !== undefined)) {
      const message = `the first of ${servers.length} servers is taken: they are seldom meant to share requests`;
      warn(first.pointer, 'several_servers', message);
    }
  }
  const own = description.servers[0] && addresses.get(description.servers[0]);
  const free = uniqueNames();
  const names = new Map<string, string>();
  for (const address of [...new Set(addresses.values())].toSorted(
    (a, b) => order(a, own) - order(b, own) || compare(a, b),
  )) {
    names.set(address, free(address === own ? base : `${base}-${slug(hostAndPath(address))}`));
  }
  return {
    services: [...names].map(([address, name]) => [name, address] as const).toSorted(([a], [b]) => compare(a, b)),
    serviceOf: ({ servers }) => names.get((servers[0] && addresses.get(servers[0])) ?? ''),
  };
}

/** Absolute, without a slash at its end. */
function addressOf({ url }: Server, base: string | undefined, isOwn: boolean): Address {
  const isAbsolute = /^[a-z][a-z0-9+.-]*:/i.test(url);
  if (!isAbsolute && base === undefined) return { ok: false, message: 'is relative: --url says to which address' };
  // `/` is what a description without servers has: it says nothing about where the API is.
  const chosen = isOwn && (isAbsolute || url === '/') ? (base ?? url) : url;
  if (!URL.canParse(chosen, base)) return { ok: false, message: 'is not an address' };
  const address = new URL(chosen, base).href.replace(/^ws(s?):/, 'http$1:').replace(/\/+$/, '');
  if (parseServiceUrl(address) !== undefined) return { ok: true, url: address };
  return { ok: false, message: 'must be an address of http or https without user, password, query and fragment' };
}

function order(address: string, own: string | undefined): number {
  return address === own ? 0 : 1;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function hostAndPath(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname}`;
}
