import { destinationOf, type Destination, type RequestView } from '@portcullis/plugin-runtime';
import * as v from 'valibot';
import { text } from './config-fields.ts';

/** Longest address of a destination, in characters. */
export const DESTINATION_URL_LENGTH_MAX = 2048;

/** A scheme is the same in both cases; spelt out, because JSON Schema has no flags. Source: RFC 3986, 3.1. */
const FORMS = {
  https: [/^[Hh][Tt][Tt][Pp][Ss]:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/, 'https://'],
  any: [/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/, 'http:// or https://'],
} as const;

/**
 * Address of a server that requests go to: a host, a port if it has one, and a base path. What it stands for is judged when it is
 * connected to: the control plane resolves no names and does not know whom the operator of the gateway allows. Source: decisions, 20.
 * @param schemes `https` where the wire contract wants TLS
 */
export function destinationUrl(description: string, schemes: 'https' | 'any') {
  const [form, scheme] = FORMS[schemes];
  return v.pipe(
    text(description, DESTINATION_URL_LENGTH_MAX, 0),
    v.regex(form, `must begin with ${scheme} and a host, and have no user, password, query and fragment`),
    v.check((url) => !form.test(url) || basedOn(url) !== undefined, 'must be the address of a server'),
  );
}

/** Where requests go, and what their paths begin with there. */
export interface BasedDestination {
  readonly destination: Destination;
  /** Without a slash at its end; empty for none. */
  readonly basePath: string;
}

/** A checked address in parts. @throws TypeError for one that {@link destinationUrl} refuses */
export function basedDestination(url: string): BasedDestination {
  const based = basedOn(url);
  if (based === undefined) throw new TypeError('a destination is the address of a server');
  return based;
}

function basedOn(text: string): BasedDestination | undefined {
  const url = URL.parse(text);
  if (url === null || url.port === '0') return undefined;
  return { destination: destinationOf(url.origin), basePath: url.pathname.replace(/\/+$/, '') };
}

/**
 * The path at the destination: as a service's is made, from the base path and what the route leaves of the request's path, with one slash
 * between. Source: wire, Value forms, Routes.
 */
export function pathAt(basePath: string, { forwardedPath }: RequestView): string {
  const path = `${basePath}${forwardedPath}`;
  return path === '' ? '/' : path;
}
