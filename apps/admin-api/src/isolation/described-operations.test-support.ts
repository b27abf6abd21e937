/** A JSON Schema as data. */
export type Schema = Readonly<Record<string, unknown>>;

/** One operation at one path, as the service's own description says it. */
export interface DescribedOperation {
  /** `GET /api/v1/admin/gateways/{gateway_id}`. */
  readonly title: string;
  /** The same for all paths of an operation. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  /** Who may call it, as the description says. */
  readonly access: string;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly body: { readonly schema: Schema; readonly required: boolean; readonly takesYaml: boolean } | undefined;
}

/** The service's description, read. */
export interface Description {
  readonly operations: readonly DescribedOperation[];
  /** A schema with its outer `$ref` followed. */
  resolve(schema: Schema): Schema;
  /** The schema of the operation's success answer, `{}` when it has none. */
  answerSchema(operation: DescribedOperation): Schema;
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedItem>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface DescribedItem {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly 'x-access'?: string;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[];
  readonly requestBody?: { required?: boolean; content: Readonly<Record<string, { schema: Schema }>> };
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: Schema }>> }>>;
}

/** Reads `/openapi.json`. Paths under `/api/v1/admin` are given under `/admin` too. Source: spec, Versioning, 2. */
export function readDescription(json: unknown): Description {
  const document = json as Document;
  const items = new Map<string, DescribedItem>();
  const operations: DescribedOperation[] = [];
  for (const [described, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!methods.has(method)) continue;
      for (const path of prefixed(described)) {
        const read = operationOf(method, path, operation);
        items.set(read.title, operation);
        operations.push(read);
      }
    }
  }
  const resolve = (schema: Schema): Schema => {
    const reference = schema['$ref'];
    if (typeof reference !== 'string') return schema;
    return document.components.schemas[reference.replace('#/components/schemas/', '')] ?? {};
  };
  return {
    operations,
    resolve,
    answerSchema(operation) {
      const responses = items.get(operation.title)?.responses ?? {};
      const answer = responses['200'] ?? responses['201'] ?? responses['202'];
      return resolve(answer?.content?.['application/json']?.schema ?? {});
    },
  };
}

function prefixed(path: string): readonly string[] {
  return path.startsWith('/api/v1/admin/') ? [path, path.slice('/api/v1'.length)] : [path];
}

function operationOf(method: string, path: string, item: DescribedItem): DescribedOperation {
  const content = item.requestBody?.content ?? {};
  const schema = content['application/json']?.schema;
  const query = (item.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return {
    title: `${method.toUpperCase()} ${path}`,
    id: item.operationId.replace(/At\d+$/, ''),
    method: method.toUpperCase(),
    path,
    tag: item.tags[0] ?? '',
    access: item['x-access'] ?? '',
    pathParameters: [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? ''),
    queryParameters: query.map((one) => ({ name: one.name, required: one.required === true, schema: one.schema })),
    body: schema && {
      schema,
      required: item.requestBody?.required !== false,
      takesYaml: 'application/yaml' in content,
    },
  };
}

/** An operation's path with its parameters filled in. */
export function fillPath(
  operation: Pick<DescribedOperation, 'path'>,
  values: Readonly<Record<string, string>>,
): string {
  return operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
