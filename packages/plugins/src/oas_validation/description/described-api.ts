import { isObject, type Description } from '@portcullis/openapi';
import type { ContractSettings } from '../operations/contract.ts';
import { OperationContract } from '../operations/operation-contract.ts';
import { PathIndex, type PathMatch } from '../operations/path-index.ts';
import { SchemaChecks } from '../schemas/schema-checks.ts';
import type { ReadSpec } from './read-spec.ts';

/** Most paths of servers that requests may begin with. */
const PREFIXES_MAX = 32;

/** The operation that a request is one of, or what of it is not described. */
export type FoundOperation =
  | { readonly contract: OperationContract; readonly parameters: ReadonlyMap<string, string> }
  | 'no path'
  | 'no method';

/** The operations of a description by method and path. */
export class DescribedApi {
  readonly #prefixes: readonly string[];
  readonly #index: PathIndex<OperationContract>;

  /** @param basePath with which paths begin before those of the description. Default: the paths of its servers, or nothing */
  constructor(spec: ReadSpec, settings: ContractSettings, basePath: string | undefined) {
    const { description, follow, dialect, hasUnevaluated } = spec;
    this.#prefixes = basePath === undefined ? serverPaths(description) : [withoutEndSlash(basePath)];
    const parts = { follow, checks: new SchemaChecks(follow, dialect, hasUnevaluated) };
    const apiKeys = queryKeys(description);
    this.#index = new PathIndex(
      description.operations,
      (operation) => new OperationContract(parts, operation, settings, apiKeys),
    );
  }

  find(method: string, path: string): FoundOperation {
    let isPathKnown = false;
    for (const prefix of this.#prefixes) {
      const match = this.#matchBelow(prefix, path);
      if (match === undefined) continue;
      const { methods } = match.entry;
      // Whoever describes GET has described HEAD. Source: RFC 9110, 9.3.2.
      const contract = methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
      if (contract !== undefined) return { contract, parameters: match.parameters };
      isPathKnown = true;
    }
    return isPathKnown ? 'no method' : 'no path';
  }

  #matchBelow(prefix: string, path: string): PathMatch<OperationContract> | undefined {
    if (prefix === '') return this.#index.find(path);
    if (!path.startsWith(prefix)) return undefined;
    const below = path.slice(prefix.length);
    return below === '' || below.startsWith('/') ? this.#index.find(below === '' ? '/' : below) : undefined;
  }
}

/** The paths of all servers, the longest first, and none at last: for routes that strip them. */
function serverPaths({ operations, servers }: Description): readonly string[] {
  const paths = new Set<string>();
  for (const { url } of [...servers, ...operations.flatMap((operation) => operation.servers)]) {
    const path = URL.canParse(url, BASE) ? new URL(url, BASE).pathname : '';
    if (paths.size < PREFIXES_MAX) paths.add(withoutEndSlash(path));
  }
  paths.delete('');
  return [...[...paths].toSorted((first, second) => second.length - first.length), ''];
}

const BASE = 'http://server.invalid';

function withoutEndSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Security schemes that are parameters of the query, by name. */
function queryKeys({ document }: Description): ReadonlyMap<string, string> {
  const components = document['components'];
  const schemes = isObject(components) ? components['securitySchemes'] : undefined;
  return new Map(
    Object.entries(isObject(schemes) ? schemes : {}).flatMap(([scheme, value]) => {
      const isKey = isObject(value) && value['type'] === 'apiKey' && value['in'] === 'query';
      return isKey && typeof value['name'] === 'string' ? [[scheme, value['name']] as const] : [];
    }),
  );
}
