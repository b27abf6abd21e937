import { stringify } from 'yaml';
import type { OperationOutput } from './operation.ts';
import { withPackedFields } from './packed-fields.ts';

/** Headers that every answer carries unless its operation says otherwise. */
export const standardHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Turns what a handler gave into a response. */
export function answer(
  output: OperationOutput,
  options: {
    readonly requestId: string;
    readonly asYaml: boolean;
    /** Headers that no operation knows of. */
    readonly headers?: Readonly<Record<string, string>>;
  },
): Response {
  const headers: Record<string, string> = {
    ...standardHeaders,
    ...options.headers,
    'x-request-id': options.requestId,
  };
  for (const [name, value] of Object.entries(output.headers ?? {})) headers[name.toLowerCase()] = value;
  if (output.stream !== undefined) return new Response(output.stream, { status: output.status, headers });
  if (output.packed !== undefined) {
    headers['content-type'] ??= 'application/json';
    return new Response(withPackedFields(output.body, output.packed), { status: output.status, headers });
  }
  if (output.body === undefined) return new Response(null, { status: output.status, headers });
  const asYaml = options.asYaml && headers['content-type'] === undefined;
  headers['content-type'] ??= asYaml ? 'application/yaml' : 'application/json';
  return new Response(asYaml ? yamlText(output.body) : JSON.stringify(output.body), { status: output.status, headers });
}

/**
 * A document as YAML 1.2 in which nothing is abbreviated by an alias. Texts that a reader of YAML 1.1 would take for something
 * else (`no`, dates) stand in quotes.
 */
export function yamlText(document: unknown): string {
  return stringify(document, yamlForm);
}

const yamlForm = {
  version: '1.2',
  schema: 'core',
  compat: 'yaml-1.1',
  aliasDuplicateObjects: false,
  lineWidth: 0,
} as const;

/** Whether a caller asked for YAML: `format=yaml`, or an `Accept` that ranks it above JSON. */
export function prefersYaml(format: string | null, accept: string | undefined): boolean {
  if (format !== null) return format === 'yaml';
  const ranges = (accept ?? '').toLowerCase().split(',').map(rangeOf);
  const best = (form: RegExp): number =>
    Math.max(0, ...ranges.filter(({ type }) => form.test(type)).map(({ quality }) => quality));
  const yaml = best(/^(?:application|text)\/(?:x-)?yaml$/);
  return yaml > 0 && yaml >= best(/^application\/json$/);
}

function rangeOf(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}
