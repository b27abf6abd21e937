import { field, list } from '../../answer-fields.ts';
import type { KeepText } from '../../kept-text.ts';

/** An API of a registry. What the registry does not say is `null`. */
export interface RegisteredApi {
  readonly owner: string | null;
  readonly name: string | null;
  readonly version: string | null;
  readonly visibility: 'public' | 'private' | null;
  readonly published: boolean | null;
}

/** Properties of one API that are looked through. The registry has about ten. */
const PROPERTIES_MAX = 64;

/**
 * An entry of the list. It is written in APIs.json: what is not its name stands in `properties`, a list of types with a `value` or `url`; owner, name and
 * version as they stand in addresses are in the `url` of type `Swagger`. An entry that has a field of that name itself is taken at its word.
 * Source: SwaggerHub's Registry API, `ApisJsonApi`.
 */
export function readRegisteredApi(entry: unknown, text: KeepText): RegisteredApi {
  const properties = list(field(entry, 'properties'), PROPERTIES_MAX) ?? [];
  const property = (type: string): unknown => {
    const found = properties.find((item) => field(item, 'type') === type);
    return field(found, 'value') ?? field(found, 'url');
  };
  const [owner, name, version] = partsOf(property('Swagger'));
  return {
    owner: text(field(entry, 'owner')) ?? text(owner),
    name: text(field(entry, 'name')) ?? text(name),
    version: text(field(entry, 'version')) ?? text(property('X-Version')) ?? text(version),
    visibility: visibilityOf(field(entry, 'visibility'), flag(property('X-Private'))),
    published: flag(field(entry, 'published')) ?? flag(property('X-Published')),
  };
}

/** Characters of an API's address. */
const ADDRESS_LENGTH_MAX = 2048;

/** `…/apis/OWNER/NAME/VERSION`. */
function partsOf(url: unknown): readonly string[] {
  if (typeof url !== 'string' || url.length > ADDRESS_LENGTH_MAX || !URL.canParse(url)) return [];
  const [, ...parts] = /\/apis\/([^/]+)\/([^/]+)(?:\/([^/]+))?\/?$/.exec(new URL(url).pathname) ?? [];
  return parts.filter((part) => part !== undefined).map(decoded);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function visibilityOf(said: unknown, isPrivate: boolean | null): RegisteredApi['visibility'] {
  if (typeof said === 'string' && /^(?:public|private)$/i.test(said)) return said.toLowerCase() as 'public' | 'private';
  if (isPrivate === null) return null;
  return isPrivate ? 'private' : 'public';
}

/** The registry writes flags as text. */
function flag(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}
