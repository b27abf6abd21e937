import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { temporaryFolder, type TemporaryFolder } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';

interface Described {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly { readonly $ref?: string; readonly name?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: object; example?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly headers?: object; readonly content?: object }>
  >;
}

interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly responses: Readonly<Record<string, { readonly content: Record<string, Example> }>> };
}

interface Example {
  readonly example: { readonly status: number };
}

let folder: TemporaryFolder;
let service: TestService;
let description: Description;
const operations = (): { path: string; method: string; described: Described }[] =>
  Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({ path, method, described })),
  );

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startTestService(`sqlite:${folder.join('test.db')}`);
  description = (await service.call('GET', '/openapi.json')).body;
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

function schemas(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.addSchema(description, 'https://portcullis.test/openapi.json');
}

const pointer = (...steps: string[]): string =>
  steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

describe('the API description', () => {
  it('is a valid OpenAPI 3.1 document with unique operation IDs', async () => {
    const result = await new Validator().validate(structuredClone(description) as never);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(description.openapi).toBe('3.1.0');
    const ids = operations().map(({ described }) => described.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('shows for each body an example that its schema takes', () => {
    const ajv = schemas();
    const without: string[] = [];
    for (const { path, method, described } of operations()) {
      for (const [mediaType, { example }] of Object.entries(described.requestBody?.content ?? {})) {
        const at = pointer('paths', path, method, 'requestBody', 'content', mediaType, 'schema');
        const validate = ajv.compile({ $ref: `https://portcullis.test/openapi.json#${at}` });
        if (example === undefined || !validate(example)) {
          without.push(`${described.operationId}: ${JSON.stringify(example)} ${ajv.errorsText(validate.errors)}`);
        }
      }
    }
    expect(without).toEqual([]);
  });

  it('shows for each shared failure a problem document of that status', () => {
    const validate = schemas().getSchema('https://portcullis.test/openapi.json#/components/schemas/Problem');
    for (const [name, response] of Object.entries(description.components.responses)) {
      const example = response.content['application/problem+json']?.example;
      expect(validate?.(example), name).toBe(true);
      const uses = operations().flatMap(({ described }) =>
        Object.entries(described.responses).filter(([, { $ref }]) => $ref === `#/components/responses/${name}`),
      );
      expect(uses.length, name).toBeGreaterThan(0);
      expect(
        uses.every(([status]) => Number(status) === example?.status),
        name,
      ).toBe(true);
    }
  });

  it('names for each operation who may call and how it may fail', () => {
    for (const { method, path, described } of operations()) {
      const statuses = Object.keys(described.responses);
      expect(statuses, path).toEqual(expect.arrayContaining(['400', '500', '503']));
      if (described.security.length > 0) expect(statuses, path).toContain('401');
      if (described.requestBody) expect(statuses, path).toEqual(expect.arrayContaining(['408', '413', '415', '422']));
      if (['put', 'patch', 'delete'].includes(method)) {
        expect(statuses, path).toEqual(expect.arrayContaining(['409', '412']));
        expect(described.parameters, path).toContainEqual({ $ref: '#/components/parameters/IfMatch' });
      }
      for (const response of Object.values(described.responses)) {
        if (response.$ref === undefined) expect(response.headers, path).toHaveProperty('X-Request-ID');
      }
    }
  });

  it('names the headers of records, lists and repeated requests', () => {
    const { get, post } = description.paths['/api/v1/admin/gateways'] ?? {};
    const headersOf = (described: Described | undefined, status: string) =>
      Object.keys(described?.responses[status]?.headers ?? {});
    expect(headersOf(get, '200')).toEqual(['X-Total-Count', 'Link', 'X-Request-ID']);
    expect(headersOf(post, '201')).toEqual(['ETag', 'Idempotency-Replayed', 'X-Request-ID']);
    expect(post?.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' });
  });
});
