import * as v from 'valibot';
import { createSchemaCollector, type JsonSchema, type SchemaCollector } from './open-api-schemas.ts';
import type { Operation, QueryParameter, ResponseDescription } from './operation.ts';
import { parametersOf } from './route-table.ts';

/** An OpenAPI 3.1 document as data. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

const problemSchema = v.pipe(
  v.object({
    type: v.string(),
    title: v.string(),
    status: v.pipe(v.number(), v.integer()),
    detail: v.string(),
    code: v.pipe(v.string(), v.description('Stable; programs decide by it')),
    request_id: v.string(),
    errors: v.optional(
      v.array(
        v.object({ pointer: v.string(), code: v.string(), message: v.string(), in: v.optional(v.literal('query')) }),
      ),
    ),
  }),
  v.title('Problem'),
);

/**
 * Describes operations in OpenAPI 3.1, from the same declarations that route and validate them. Paths under `/admin` are
 * described under `/api/v1/admin`, where new clients should call them. Source: spec, Versioning, 3.
 */
export function openApiDocument(
  operations: readonly Operation[],
  options: { readonly version: string },
): OpenApiDocument {
  const collector = createSchemaCollector();
  const problem = collector.schemaOf(problemSchema, 'output');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    documentedPaths(operation).forEach((path, index) => {
      const operationId = index === 0 ? operation.id : `${operation.id}At${index + 1}`;
      const item = (paths[path] ??= {});
      item[operation.method.toLowerCase()] = { operationId, ...described(operation, path, problem, collector) };
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portcullis administration API',
      version: options.version,
      description:
        'Every path under `/api/v1/admin` answers under `/admin` too. Errors are problem documents (RFC 9457).',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
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

function described(operation: Operation, path: string, problem: JsonSchema, collector: SchemaCollector): JsonSchema {
  const fromPath = parametersOf(path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const parameters = [...fromPath, ...(operation.query ?? []).map((parameter) => queryParameter(parameter, collector))];
  return {
    tags: [operation.tag],
    summary: operation.summary,
    'x-access': operation.access,
    security: operation.access === 'public' ? [] : [{ bearer: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: requestBody(operation.body, collector) }),
    responses: responsesOf(operation, problem, collector),
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
  const mediaTypes = body.format === 'json_or_yaml' ? ['application/json', 'application/yaml'] : ['application/json'];
  return { required: !body.optional, content: Object.fromEntries(mediaTypes.map((type) => [type, { schema }])) };
}

function responsesOf(operation: Operation, problem: JsonSchema, collector: SchemaCollector): JsonSchema {
  const responses: Record<string, Record<string, unknown>> = {};
  for (const response of operation.responses) {
    const key = String(response.status);
    const before = responses[key];
    const content = { ...(before?.['content'] as JsonSchema | undefined), ...contentOf(response, problem, collector) };
    const description = before?.['description'] ?? response.description;
    responses[key] = { description, ...(Object.keys(content).length > 0 && { content }) };
  }
  for (const [status, description] of standardFailures(operation)) {
    responses[status] ??= { description, content: problemContent(problem) };
  }
  return responses;
}

function contentOf(response: ResponseDescription, problem: JsonSchema, collector: SchemaCollector): JsonSchema {
  if (response.status >= 400 && !response.schema) return problemContent(problem);
  const mediaType = response.mediaType ?? (response.schema ? 'application/json' : undefined);
  if (mediaType === undefined) return {};
  return { [mediaType]: response.schema ? { schema: collector.schemaOf(response.schema, 'output') } : {} };
}

function problemContent(problem: JsonSchema): JsonSchema {
  return { 'application/problem+json': { schema: problem } };
}

/** What the HTTP shell itself may answer before and instead of the handler. */
function standardFailures(operation: Operation): readonly (readonly [string, string])[] {
  const isOpen = operation.access === 'public';
  return [
    ...(operation.body || operation.query
      ? ([
          ['400', 'The body or a parameter is malformed'],
          ['422', 'Fields are invalid; all of them are listed'],
        ] as const)
      : []),
    ...(isOpen
      ? []
      : ([
          ['401', 'The credential is missing, expired or revoked'],
          ['403', 'The caller may not do this'],
        ] as const)),
    ...(operation.body
      ? ([
          ['413', 'The body is too large'],
          ['415', 'The body has another media type'],
        ] as const)
      : []),
    ['default', 'Any other failure'],
  ];
}
