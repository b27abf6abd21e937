import type { Server } from '@portcullis/openapi';
import type { Findings } from './findings.ts';

/**
 * Where the client finds the API. What the caller says counts; the first server of the description is joined to it where it is relative.
 * @returns nothing where nobody knows an absolute address
 */
export function baseUrlOf(
  servers: readonly Server[],
  chosen: string | undefined,
  findings: Findings,
): string | undefined {
  const [first] = servers;
  const relative = first !== undefined && !hasScheme(first.url) ? first.url : undefined;
  if (chosen !== undefined) {
    const base = absolute(chosen);
    if (base === undefined) {
      findings.refuse(
        '',
        'the base URL must be an absolute http or https address without credentials, query and fragment',
        'sdk_base_url',
      );
      return undefined;
    }
    return relative === undefined ? base : absolute(`${base}/${relative.replace(/^\/+/, '')}`);
  }
  if (relative !== undefined) return undefined;
  for (const { url, pointer } of servers) {
    const base = absolute(url);
    if (base !== undefined) return base;
    findings.warn(pointer, 'is no http or https address without credentials, query and fragment, and is left out');
  }
  return undefined;
}

function hasScheme(url: string): boolean {
  return /^[a-z][a-z\d+.-]*:|^\/\//i.test(url);
}

function absolute(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    return undefined;
  return url.href.replace(/\/+$/, '');
}
