import { pointerSegments, toPointer } from './json-pointer.ts';
import { isValues } from './values.ts';

/** Parts of names of fields that say where something is sent: `base_url`, `bootstrapServers`, `region`. */
const ADDRESS_WORDS: ReadonlySet<string> = new Set(
  [
    'addr',
    'address',
    'broker',
    'destination',
    'domain',
    'dsn',
    'endpoint',
    'fqdn',
    'host',
    'hostname',
    'ip',
    'port',
    'proxy',
    'region',
    'server',
    'site',
    'subdomain',
    'uri',
    'url',
    'webhook',
  ]
    .flatMap((word) => [word, word === 'address' ? 'addresses' : `${word}s`])
    .concat('proxies'),
);

/** Names of fields that choose one of several systems: where none has an address, each goes to its own vendor. */
const CHOICE_NAMES: ReadonlySet<string> = new Set(['driver', 'kind', 'provider', 'type', 'vendor']);

/** A field that decides where secrets go, and what it says. */
interface AddressLeaf {
  readonly segments: readonly string[];
  readonly value: unknown;
}

/**
 * The fields of a config that say where something is sent: by a word of their names, or because they hold a URL.
 * @param unknown of configs of custom packages, which are known by nothing else: what reads as a host or an IP address counts, too, but
 *   not where secrets stand, at these pointers
 * @returns by the pointer of a secret in the config, all of it that concerns the secret: what stands in another entry of a list in which the secret
 *   stands does not, nor does the entry's place in it
 */
export function addressesFor(config: unknown, unknown?: ReadonlySet<string>): (pointer: string) => unknown {
  const leaves: AddressLeaf[] = [];
  const isCounted = (segments: readonly string[], value: unknown): boolean =>
    isAddress(segments, value) || (unknown !== undefined && holdsHost(value) && !unknown.has(toPointer(segments)));
  collect(config, [], { isCounted, leaves });
  return (pointer) => {
    if (leaves.length === 0) return [];
    const own = pointerSegments(pointer);
    const beside = leaves.flatMap(({ segments, value }) => {
      const place = placeBeside(config, segments, own);
      return place === undefined ? [] : [[place, value] as const];
    });
    // The order of an object's fields means nothing: exports have another one than what was written.
    return beside.toSorted(([left], [right]) => (left < right ? -1 : Number(left > right)));
  };
}

/** What is looked for, and what was found. */
interface Search {
  readonly isCounted: (segments: readonly string[], value: unknown) => boolean;
  readonly leaves: AddressLeaf[];
}

function collect(value: unknown, segments: readonly string[], search: Search): void {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    for (const [index, item] of value.entries()) collect(item, [...segments, String(index)], search);
  } else if (isValues(value)) {
    for (const [name, item] of Object.entries(value)) collect(item, [...segments, name], search);
  } else if (search.isCounted(segments, value)) search.leaves.push({ segments, value });
}

function isAddress(segments: readonly string[], value: unknown): boolean {
  const name = segments.findLast((segment) => !/^\d+$/.test(segment)) ?? '';
  return isAddressName(name) || textsOf(value).some((text) => /^(?!vault:|env:)[a-z][a-z0-9+.-]*:\/\//i.test(text));
}

/** Whether a field says by its name that it holds an address, or what decides about one. */
export function isAddressName(name: string): boolean {
  if (CHOICE_NAMES.has(name.toLowerCase())) return true;
  // `baseURLs` is told apart at its first capital only, `HTTPHost` at the last one of a row.
  return [...name.split(/[_\-.\s]|(?<=[a-z\d])(?=[A-Z])/), ...name.split(/(?<=[A-Z])(?=[A-Z][a-z])/)].some((word) =>
    ADDRESS_WORDS.has(word.toLowerCase().replace(/\d+$/, '')),
  );
}

/** What is longer before its path is no host. Source: RFC 1035, 255 bytes; a port and a point more. */
const AUTHORITY_LENGTH_MAX = 263;
/** `a.example`, `a.example.`, `host:80`, `10.0.0.1:80`, `[::1]:80` and `::1`; not `1.5`, which is a number. */
const HOST =
  /^(?:(?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]*\.?(?::\d+)?|[\p{L}\p{N}_-]+:\d+|(?:\d+\.){3}\d+(?::\d+)?|\[[\da-f:.]+\](?::\d+)?|[\da-f]*:[\da-f]*:[\da-f:.]*)$/iu;

function holdsHost(value: unknown): boolean {
  return textsOf(value).some((text) => text.split(/[,;]/).some(readsAsHost));
}

/** Whether a text is a host, maybe with a user before and a port or a path behind. */
function readsAsHost(text: string): boolean {
  const [authority = ''] = text
    .trim()
    .replace(/^[/\\]{2}/, '')
    .split(/[/\\?#]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.length <= AUTHORITY_LENGTH_MAX && HOST.test(host);
}

function textsOf(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((text) => typeof text === 'string');
}

/** Where a field stands, with `*` for entries of lists that it shares with the secret; nothing where they are in different entries, or it is the secret. */
function placeBeside(config: unknown, segments: readonly string[], own: readonly string[]): string | undefined {
  let at: unknown = config;
  const place: string[] = [];
  for (const [depth, segment] of segments.entries()) {
    const isShared = own[depth] === segment;
    if (!isShared)
      return Array.isArray(at) && own.length > depth ? undefined : [...place, ...segments.slice(depth)].join('/');
    place.push(Array.isArray(at) ? '*' : segment);
    at = (at as Readonly<Record<string, unknown>>)[segment];
  }
  return undefined;
}
