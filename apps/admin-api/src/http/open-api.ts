import { scopesFor } from './access.ts';
import { requestExample } from './open-api-examples.ts';
import { failureComponents, failureResponse, failureStatuses } from './open-api-failures.ts';
import {
  headerComponents,
  headerParameterComponents,
  headerParametersOf,
  responseHeaders,
} from './open-api-headers.ts';
import { createSchemaCollector, type JsonSchema, type SchemaCollector } from './open-api-schemas.ts';
import type { Operation, QueryParameter, ResponseDescription } from './operation.ts';
import { parametersOf } from './route-table.ts';

/** An OpenAPI 3.1 document as data. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/**
 * Describes operations in OpenAPI 3.1, from the same declarations that route and validate them. Paths under `/admin` are
 * described under `/api/v1/admin`, where new clients should call them. Source: spec, Versioning, 3.
 */
export function openApiDocument(
  operations: readonly Operation[],
  options: { readonly version: string },
): OpenApiDocument {
  const collector = createSchemaCollector();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    documentedPaths(operation).forEach((path, index) => {
      const operationId = index === 0 ? operation.id : `${operation.id}At${index + 1}`;
      const item = (paths[path] ??= {});
      item[operation.method.toLowerCase()] = { operationId, ...described(operation, path, collector) };
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portcullis administration API',
      version: options.version,
      description:
        'Every path under `/api/v1/admin` answers under `/admin` too. Errors are problem documents (RFC 9457). A method ' +
        'that a path does not take is 405 with `Allow`; every `GET` takes `HEAD` too.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
      responses: failureComponents(collector),
      headers: headerComponents,
      parameters: headerParameterComponents,
      schemas: collector.components,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, an admin API token, or a data-plane token',
        },
      },
    },
  };
}

/** The paths of an operation that the description shows. */
function documentedPaths(operation: Operation): readonly string[] {
  const shown = operation.paths.map((path) => (path.startsWith('/admin/') ? `/api/v1${path}` : path));
  return [...new Set(shown.map((path) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)))];
}

function described(operation: Operation, path: string, collector: SchemaCollector): JsonSchema {
  const fromPath = parametersOf(path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const parameters = [
    ...fromPath,
    ...(operation.query ?? []).map((parameter) => queryParameter(parameter, collector)),
    ...headerParametersOf(operation),
  ];
  // Scopes of bearer tokens that are no OAuth tokens have no place of their own in a description.
  const scopes = scopesFor(operation);
  return {
    tags: [operation.tag],
    summary: operation.summary,
    'x-access': operation.access,
    ...(scopes && { 'x-scopes': scopes }),
    security: operation.access === 'public' ? [] : [{ bearer: [] }],
    parameters,
    ...(operation.body && { requestBody: requestBody(operation.body, collector) }),
    responses: responsesOf(operation, collector),
  };
}

function queryParameter(parameter: QueryParameter, collector: SchemaCollector): JsonSchema {
  // What a parameter is parsed into says more than that it is written as text.
  const { default: given, ...schema } = collector.schemaOf(parameter.schema, 'output');
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
  const fallback = isNumber && typeof given === 'string' ? Number(given) : given;
  return {
    name: parameter.name,
    in: 'query',
    description: parameter.description,
    required: parameter.required ?? false,
    schema: given === undefined ? schema : { ...schema, default: fallback },
  };
}

function requestBody(body: NonNullable<Operation['body']>, collector: SchemaCollector): JsonSchema {
  const schema = collector.schemaOf(body.schema, 'input');
  const example = requestExample(body, schema, collector.components);
  const mediaTypes = body.format === 'json_or_yaml' ? ['application/json', 'application/yaml'] : ['application/json'];
  const content = { schema, ...(example !== undefined && { example }) };
  return { required: !body.optional, content: Object.fromEntries(mediaTypes.map((type) => [type, content])) };
}

function responsesOf(operation: Operation, collector: SchemaCollector): JsonSchema {
  const responses: Record<string, JsonSchema> = {};
  for (const response of operation.responses) {
    const key = String(response.status);
    if (response.status >= 400 && !response.schema) {
      responses[key] = failureResponse(response.status, response.description, collector);
      continue;
    }
    const before = responses[key];
    const content = { ...(before?.['content'] as JsonSchema | undefined), ...contentOf(response, collector) };
    responses[key] = {
      description: before?.['description'] ?? response.description,
      headers: { ...(before?.['headers'] as JsonSchema | undefined), ...responseHeaders(operation, response) },
      ...(Object.keys(content).length > 0 && { content }),
    };
  }
  for (const status of failureStatuses(operation)) {
    const own = responses[String(status)];
    const shared = failureResponse(status, undefined, collector);
    if (!own) responses[String(status)] = shared;
    else if (own['content'] && !Object.hasOwn(own['content'], problemType)) {
      // What the operation says itself, or a problem document in its place.
      const problem = failureResponse(status, '', collector)['content'] as JsonSchema;
      responses[String(status)] = { ...own, content: { ...(own['content'] as JsonSchema), ...problem } };
    }
  }
  return responses;
}

const problemType = 'application/problem+json';

function contentOf(response: ResponseDescription, collector: SchemaCollector): JsonSchema {
  const mediaType = response.mediaType ?? (response.schema ? 'application/json' : undefined);
  if (mediaType === undefined) return {};
  return { [mediaType]: response.schema ? { schema: collector.schemaOf(response.schema, 'output') } : {} };
}
