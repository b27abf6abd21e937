import { fieldOf, isObject, readDescription, textField } from '@portcullis/openapi';
import type { JsonObject } from '@portcullis/openapi';
import type { SdkModel } from '../model/sdk-model.ts';
import { baseUrlOf } from './base-url.ts';
import { Findings, type SdkProblem, type SdkWarning } from './findings.ts';
import { sdkLimits } from './limits.ts';
import { warnOfNestedValues } from './nested-values.ts';
import { operationsOf } from './operations.ts';
import { reachedTypes } from './reached-types.ts';
import { titleText } from './schemas/descriptions.ts';
import { SchemaSource } from './schemas/schema-source.ts';
import { TypeBuilder } from './schemas/type-builder.ts';
import { TypeRegistry } from './schemas/type-registry.ts';
import { securityOf } from './security.ts';

/** A model, or why there is none. */
export type ModelBuilding =
  | { readonly ok: true; readonly model: SdkModel; readonly warnings: readonly SdkWarning[] }
  | { readonly ok: false; readonly problems: readonly SdkProblem[] };

/**
 * Makes the model of a document that nobody vouches for. What no client can do rightly is a problem that names its place; what a client
 * works without is a warning. Nothing throws.
 * @param baseUrl where the API is found, if the caller knows better than the description
 */
export function buildModel(document: unknown, baseUrl?: string): ModelBuilding {
  const reading = readDescription(document);
  if (!reading.ok) return reading;
  const { description } = reading;
  const findings = new Findings();
  const source = new SchemaSource(description.document, findings);
  const builder = new TypeBuilder(source, new TypeRegistry(source));
  const security = securityOf(source, description.document, description.operations);
  const { operations, errorTypes } = operationsOf(builder, description.operations, security);
  builder.types.buildAll();
  const types = reachedTypes(builder.taggedTypes(), operations, errorTypes);
  warnOfNestedValues(types, operations, findings);
  const title = titleText(description.title, sdkLimits.titleLengthMax);
  const model: SdkModel = {
    title: title === '' ? 'API' : title,
    version: titleText(description.apiVersion, sdkLimits.titleLengthMax),
    ...infoOf(description.document),
    baseUrl: baseUrlOf(description.servers, baseUrl, findings),
    schemes: security.schemes,
    types,
    operations,
  };
  const { problems, warnings } = findings;
  return problems.length > 0 ? { ok: false, problems } : { ok: true, model, warnings };
}

function infoOf(document: JsonObject): Pick<SdkModel, 'description' | 'license'> {
  const info = fieldOf(document, 'info');
  if (!isObject(info)) return { description: undefined, license: undefined };
  const license = fieldOf(info, 'license');
  const name = isObject(license)
    ? titleText(textField(license, 'name') ?? textField(license, 'identifier') ?? '', sdkLimits.titleLengthMax)
    : '';
  const url = isObject(license) ? textField(license, 'url') : undefined;
  const parsed = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  const isWeb =
    parsed !== undefined &&
    ['http:', 'https:'].includes(parsed.protocol) &&
    parsed.href.length <= sdkLimits.nameLengthMax;
  return {
    description: textField(info, 'description')?.trim() || undefined,
    license: name === '' ? undefined : { name, url: isWeb ? parsed.href : undefined },
  };
}
