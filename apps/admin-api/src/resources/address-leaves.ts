import { pointerSegments } from './json-pointer.ts';
import { isValues } from './values.ts';

/** Parts of names of fields that say where something is sent: `base_url`, `bootstrap_servers`, `region`. */
const ADDRESS_WORDS: ReadonlySet<string> = new Set(
  [
    'address',
    'broker',
    'domain',
    'endpoint',
    'host',
    'hostname',
    'port',
    'proxy',
    'region',
    'server',
    'site',
    'uri',
    'url',
  ]
    .flatMap((word) => [word, word === 'address' ? 'addresses' : `${word}s`])
    .concat('proxies'),
);

/** A field that decides where secrets go, and what it says. */
interface AddressLeaf {
  readonly segments: readonly string[];
  readonly value: unknown;
}

/**
 * The fields of a config that say where something is sent: by a word of their names, or because they hold a URL. Configs of custom packages are
 * known by nothing else.
 * @returns by the pointer of a secret in the config, all of it that concerns the secret: what stands in another entry of a list in which the secret
 *   stands does not, nor does the entry's place in it
 */
export function addressesFor(config: unknown): (pointer: string) => unknown {
  const leaves: AddressLeaf[] = [];
  collect(config, [], leaves);
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

function collect(value: unknown, segments: readonly string[], leaves: AddressLeaf[]): void {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    for (const [index, item] of value.entries()) collect(item, [...segments, String(index)], leaves);
  } else if (isValues(value)) {
    for (const [name, item] of Object.entries(value)) collect(item, [...segments, name], leaves);
  } else if (isAddress(segments, value)) leaves.push({ segments, value });
}

function isAddress(segments: readonly string[], value: unknown): boolean {
  const name = segments.findLast((segment) => !/^\d+$/.test(segment)) ?? '';
  if (isAddressName(name)) return true;
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.some((text) => typeof text === 'string' && /^(?!vault:|env:)[a-z][a-z0-9+.-]*:\/\//i.test(text));
}

/** Whether a field says by its name that it holds an address. */
export function isAddressName(name: string): boolean {
  return name
    .toLowerCase()
    .split(/[_\-.]/)
    .some((word) => ADDRESS_WORDS.has(word));
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
