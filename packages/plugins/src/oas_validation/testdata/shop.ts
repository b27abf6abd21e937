/** A description with something of all that is checked. */
export const shop = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.test/v1' }],
  paths: {
    '/pets': {
      get: {
        security: [{ key: [] }],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
          { name: 'kind', in: 'query', schema: { type: 'array', items: { $ref: '#/components/schemas/Kind' } } },
          {
            name: 'filter',
            in: 'query',
            style: 'deepObject',
            explode: true,
            schema: { type: 'object', properties: { age: { type: 'integer' } } },
          },
          { name: 'X-Trace', in: 'header', schema: { type: 'integer' } },
        ],
        responses: { default: { description: '' } },
      },
      post: { requestBody: { $ref: '#/components/requestBodies/Pet' }, responses: { 201: { description: '' } } },
    },
    '/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
      get: {
        responses: {
          200: {
            description: '',
            headers: { 'X-Rate': { required: true, schema: { type: 'integer' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          '4XX': {
            description: '',
            content: { '*/*': { schema: { type: 'object', properties: { code: { type: 'integer' } } } } },
          },
        },
      },
    },
    '/me': {
      get: {
        parameters: [{ name: 'session', in: 'cookie', required: true, schema: { type: 'string', minLength: 8 } }],
        responses: {},
      },
    },
    '/login': {
      post: {
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                required: ['user'],
                properties: {
                  user: { type: 'string' },
                  age: { type: 'integer' },
                  roles: { type: 'array', items: { type: 'string' } },
                },
              },
            },
          },
        },
        responses: {},
      },
    },
    '/upload': {
      post: {
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
            },
          },
        },
        responses: {},
      },
    },
    '/raw': { post: { requestBody: { content: { 'application/octet-stream': {} } }, responses: {} } },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } },
    requestBodies: {
      Pet: {
        required: true,
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
          'application/vnd.shop+json': { schema: { $ref: '#/components/schemas/Pet' } },
        },
      },
    },
    schemas: {
      Kind: { type: 'string', enum: ['dog', 'cat'] },
      Pet: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'name', 'kind'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', minLength: 1 },
          kind: { $ref: '#/components/schemas/Kind' },
          code: { type: 'string', pattern: '^[A-Z]{3}-\\d+$' },
          born: { type: 'string', format: 'date', nullable: true },
          note: { type: 'string' },
          extra: {},
          tags: { type: 'array', uniqueItems: true, items: { type: 'string' } },
          parent: { $ref: '#/components/schemas/Pet' },
        },
      },
    },
  },
};
