import { parseDescription, readDescription } from '@portcullis/openapi';
import type { PositionFinder } from '@portcullis/openapi';
import { readContexts } from '../../contexts/context-file.ts';
import { readEnvironment } from '../../contexts/environment.ts';
import { CommandFailure, exitCodes } from '../../failure.ts';
import { readInputText } from '../../input-file.ts';
import { printWarning } from '../../output/messages.ts';
import { convertDescription } from './openapi/convert-description.ts';
import type { ConversionNote } from './openapi/convert-description.ts';
import type { RoutesPer } from './openapi/route-groups.ts';
import { writeBundle } from './write-bundle.ts';
import type { BundleOutput } from './write-bundle.ts';

/** Options of `gwctl config convert openapi`. */
export interface ConvertOpenApiOptions extends BundleOutput {
  readonly tenantId?: string;
  readonly gateway?: string;
  readonly serviceName?: string;
  readonly url?: string;
  readonly routesPer: RoutesPer;
  readonly oasValidation: boolean;
}

/** Makes a bundle out of an OpenAPI description. Asks no server; what people should know goes to standard error. */
export async function convertOpenApi(options: ConvertOpenApiOptions, given: string): Promise<number> {
  const { file, text } = await readInputText(given);
  const parsed = parseDescription(text);
  if (!parsed.ok)
    throw new CommandFailure(`${file}:${parsed.error.line}:${parsed.error.column}: ${parsed.error.message}`);
  const line = lineFor(file, parsed.positions);
  const reading = readDescription(parsed.document);
  if (!reading.ok) throw refusal(file, reading.problems.map(line));
  if (options.url !== undefined && !/^https?:\/\//i.test(options.url)) {
    throw new CommandFailure('--url must be an address of http or https');
  }
  const conversion = convertDescription(reading.description, { ...options, tenantId: tenantFor(options) });
  if (!conversion.ok) throw refusal(file, conversion.problems.map(line));
  for (const warning of conversion.warnings) printWarning(line(warning));
  await writeBundle(conversion.bundle, options);
  return exitCodes.done;
}

/** A bundle has to name its tenant: the one that a later `sync` works on, and without any context the first one there is. */
function tenantFor({ tenantId, context }: ConvertOpenApiOptions): string {
  const environment = readEnvironment();
  const given = tenantId ?? environment.tenantId;
  if (given !== undefined) return given;
  const { current, contexts } = readContexts();
  const name = context ?? environment.context ?? current;
  const chosen = name !== null && Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  return chosen?.tenant_id ?? 'default';
}

function refusal(file: string, lines: readonly string[]): CommandFailure {
  return new CommandFailure(`${file} cannot be converted`, lines);
}

function lineFor(file: string, positions: PositionFinder): (note: ConversionNote) => string {
  return ({ pointer, code, message }) => {
    const place = positions(pointer);
    const at = place ? `:${place.line}:${place.column}` : '';
    return `${file}${at}: ${pointer === '' ? '/' : pointer}: ${message} [${code}]`;
  };
}
