import type { FakeBehaviour } from './fake-system.ts';

/** An API of a registry. */
export interface FakeRegisteredApi {
  readonly owner: string;
  readonly name: string;
  readonly version: string;
  readonly isPrivate?: boolean;
  readonly isPublished?: boolean;
}

/** A registry and its one key. */
export interface FakeRegistry {
  readonly apiKey: string;
  readonly apis?: readonly FakeRegisteredApi[];
  /** How the total is named; `none` leaves it out. Default: `totalCount`. */
  readonly total?: 'totalCount' | 'total' | 'none';
}

/** The list of SwaggerHub, in APIs.json, paged as there. Source: SwaggerHub's Registry API, `GET /apis`, `GET /apis/{owner}`. */
export function fakeRegistry({ apiKey, apis = [], total = 'totalCount' }: FakeRegistry): FakeBehaviour {
  return ({ path, query, headers }) => {
    if (headers.authorization !== apiKey) return { status: 401, body: { code: 401, message: 'no' } };
    const [, owner] = /^\/apis(?:\/([^/]+))?$/.exec(path) ?? [];
    const matching = apis.filter((api) => owner === undefined || api.owner === decodeURIComponent(owner));
    const size = Number(query.get('limit') ?? 10);
    const offset = size * Number(query.get('page') ?? 0);
    const page = matching.slice(offset, offset + size).map(apisJson);
    const count = total === 'none' ? {} : { [total]: matching.length };
    return { status: 200, body: { name: 'Registry', offset, ...count, apis: page } };
  };
}

function apisJson({ owner, name, version, isPrivate = false, isPublished = true }: FakeRegisteredApi): object {
  const url = `https://api.registry.example/apis/${owner}/${name}/${version}`;
  return {
    name,
    description: `What ${name} does`,
    tags: [],
    properties: [
      { type: 'Swagger', url },
      { type: 'X-Version', value: version },
      { type: 'X-Created', value: '2026-01-01T00:00:00Z' },
      { type: 'X-Published', value: String(isPublished) },
      { type: 'X-Private', value: String(isPrivate) },
    ],
  };
}
