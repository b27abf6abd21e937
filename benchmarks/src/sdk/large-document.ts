/** Operations of each resource. */
const operationsEach = 4;

/**
 * A description with so many operations, as large APIs have them: resources with a page, a record of a dozen fields, an enum, a nested object
 * and a choice each, and answers that are errors.
 */
export function largeDocument(operations: number): object {
  const names = Array.from({ length: Math.ceil(operations / operationsEach) }, (_, index) => `Resource${index}`);
  const paths = names.flatMap((name) => Object.entries(pathsOf(name)));
  const schemas = names.flatMap((name) => Object.entries(schemasOf(name)));
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1.0.0' },
    servers: [{ url: 'https://api.example.com' }],
    security: [{ token: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Problem: { type: 'object', required: ['title'], properties: { title: text, status: whole } },
        ...Object.fromEntries(schemas),
      },
    },
  };
}

const text = { type: 'string', description: 'A text that says something of the record.' };
const whole = { type: 'integer', format: 'int64' };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string): object => ({ content: { 'application/json': { schema: ref(name) } } });
const answers = (status: string, name: string): object => ({
  [status]: { description: 'What was asked for.', ...json(name) },
  default: { description: 'What is wrong.', ...json('Problem') },
});

function pathsOf(name: string): Readonly<Record<string, object>> {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
  const query = ['limit', 'offset'].map((one) => ({
    name: one,
    in: 'query',
    schema: { type: 'integer', format: 'int32' },
  }));
  const kinds = { name: 'kind', in: 'query', schema: { type: 'array', items: ref(`${name}Kind`) } };
  return {
    [`/${name}`]: {
      get: {
        operationId: `list${name}`,
        summary: `Lists ${name}`,
        tags: [name],
        parameters: [...query, kinds],
        responses: answers('200', `${name}Page`),
      },
      post: {
        operationId: `create${name}`,
        summary: `Creates ${name}`,
        tags: [name],
        requestBody: { required: true, ...json(name) },
        responses: answers('201', name),
      },
    },
    [`/${name}/{id}`]: {
      parameters: [id],
      get: { operationId: `get${name}`, summary: `Shows ${name}`, tags: [name], responses: answers('200', name) },
      put: {
        operationId: `replace${name}`,
        summary: `Replaces ${name}`,
        tags: [name],
        requestBody: { required: true, ...json(name) },
        responses: answers('200', name),
      },
    },
  };
}

function schemasOf(name: string): Readonly<Record<string, object>> {
  const variant = (kind: string, field: string): object => ({
    type: 'object',
    required: ['kind', field],
    properties: { kind: { type: 'string', const: kind }, [field]: text },
  });
  return {
    [`${name}Kind`]: { type: 'string', enum: ['plain', 'special', 'archived'] },
    [`${name}Page`]: {
      type: 'object',
      required: ['items', 'total'],
      properties: { items: { type: 'array', items: ref(name) }, total: whole },
    },
    [name]: {
      type: 'object',
      required: ['id', 'name', 'kind'],
      properties: {
        id: { type: 'string', format: 'uuid', readOnly: true },
        name: text,
        kind: ref(`${name}Kind`),
        note: { type: ['string', 'null'] },
        amount: { type: 'number' },
        count: whole,
        is_active: { type: 'boolean' },
        created_at: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        parent: ref(name),
        settings: {
          type: 'object',
          properties: { retries: whole, timeout: { type: 'number' }, hosts: { type: 'array', items: text } },
        },
        source: { oneOf: [variant('file', 'path'), variant('address', 'url')] },
      },
    },
  };
}
