import type { Credential } from '../adapter.ts';
import type { Provider } from '../provider.ts';

/** Where the key goes. A request has one of these at most, but for `header` beside a parameter when a config asks for both. */
export interface Authorization {
  /** Name in lower case, and value. */
  readonly header?: readonly [string, string];
  readonly query?: readonly [string, string];
  readonly bodyField?: readonly [string, string];
}

/** Where a config's `header_value` or `param_value` holds the key's place. */
const KEY_PLACE = '{key}';

/**
 * How a request is authorised: as the provider's config says, else the vendor's way. Source: ai, Provider object (`auth`).
 * @param vendorWay the header that the vendor wants, for a key
 */
export function authorize(
  provider: Provider,
  credential: Credential,
  vendorWay: (key: string) => readonly [string, string],
): Authorization {
  const { auth } = provider;
  const key = credential.apiKey;
  if (auth === undefined || (auth.headerName === undefined && auth.paramName === undefined)) {
    return key === undefined ? {} : { header: vendorWay(key) };
  }
  const header = pair(auth.headerName?.toLowerCase(), auth.headerValue, key);
  const parameter = pair(auth.paramName, auth.paramValue, key);
  return {
    ...(header === undefined ? {} : { header }),
    ...(parameter === undefined ? {} : auth.paramLocation === 'body' ? { bodyField: parameter } : { query: parameter }),
  };
}

/** The key as most vendors want it. */
export function bearer(key: string): readonly [string, string] {
  return ['authorization', `Bearer ${key}`];
}

function pair(
  name: string | undefined,
  template: string | undefined,
  key: string | undefined,
): readonly [string, string] | undefined {
  if (name === undefined) return undefined;
  if (template === undefined) return key === undefined ? undefined : [name, key];
  return [name, key === undefined ? template : template.replaceAll(KEY_PLACE, () => key)];
}
