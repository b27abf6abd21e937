import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../http/open-api.ts';
import type { SentAnswer } from '../http/http-app.ts';
import type { Operation } from '../http/operation.ts';

/**
 * Holds answers against the API description while tests run: status, media type, and the body by JSON Schema. A test in which an
 * answer was not as described fails, with operation, pointer and rule: see answer-contract.setup.ts.
 */
export function checkAnswer(answer: SentAnswer): void {
  const { operation } = answer;
  if (operation === undefined) return;
  const mistakes = mistakesOf(answer, operation, contractOf(answer.operations));
  violations.push(...mistakes.map((mistake) => `${operation.id} ${answer.status}: ${mistake}`));
}

const violations: string[] = [];

/** The answers so far that were not as described; forgets them. */
export function takeViolations(): readonly string[] {
  return violations.splice(0);
}

interface Contract {
  readonly document: OpenApiShape;
  readonly ajv: Ajv2020;
  readonly validators: Map<string, ValidateFunction>;
}

interface ResponseShape {
  /** A shared response among the components. */
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface OpenApiShape {
  readonly components: { readonly responses: Readonly<Record<string, ResponseShape>> };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { operationId: string; responses: Readonly<Record<string, ResponseShape>> }>>
    >
  >;
}

const contracts = new WeakMap<readonly Operation[], Contract>();

function contractOf(operations: readonly Operation[]): Contract {
  const known = contracts.get(operations);
  if (known) return known;
  const document = openApiDocument(operations, { version: '0.0.0' }) as OpenApiShape & object;
  // Formats are said for readers; what JSON Schema cannot say is the service's own to check.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(document, documentId);
  const contract = { document, ajv, validators: new Map() };
  contracts.set(operations, contract);
  return contract;
}

const documentId = 'https://portcullis.test/openapi.json';

function mistakesOf(answer: SentAnswer, operation: Operation, contract: Contract): string[] {
  const found = Object.entries(contract.document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, described]) =>
      described.operationId === operation.id ? [{ path, method, described }] : [],
    ),
  )[0];
  if (!found) return ['the operation is not described'];
  const declared = found.described.responses[String(answer.status)];
  if (!declared) return ['the status is not declared'];
  const shared = declared.$ref?.split('/').at(-1);
  const response = shared === undefined ? declared : (contract.document.components.responses[shared] ?? {});
  const headers = headerMistakes(answer, response);
  const mediaType = answer.headers.get('content-type')?.split(';', 1)[0];
  if (mediaType === undefined) return response.content ? [...headers, 'the body is missing'] : headers;
  const content = response.content?.[mediaType];
  if (!content) return [...headers, `the media type ${mediaType} is not declared`];
  if (content.schema === undefined || answer.body === undefined) return headers;
  const place =
    shared === undefined
      ? ['paths', found.path, found.method, 'responses', String(answer.status)]
      : ['components', 'responses', shared];
  const pointer = [...place, 'content', mediaType];
  const validate = validatorAt([...pointer, 'schema'], contract);
  // What is sent is what JSON makes of the value.
  if (validate(JSON.parse(JSON.stringify(answer.body)))) return headers;
  const errors = (validate.errors ?? []).slice(0, 5).map((error) => {
    const detail = JSON.stringify(error.params);
    return `${error.instancePath || '/'} ${error.keyword} (${error.message ?? ''}; ${detail})`;
  });
  return [...headers, ...errors];
}

/** Headers that say something of records, lists and repetitions, and may be missing where there is nothing to say. */
const telling = ['etag', 'x-total-count', 'link', 'idempotency-replayed'];
const optional: ReadonlySet<string> = new Set(['link', 'idempotency-replayed', 'retry-after']);

function headerMistakes(answer: SentAnswer, response: ResponseShape): string[] {
  const declared = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  const missing = [...declared].filter((name) => !optional.has(name) && !answer.headers.has(name));
  const further = telling.filter((name) => answer.headers.has(name) && !declared.has(name));
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...further.map((name) => `the header ${name} is not declared`),
  ];
}

function validatorAt(steps: readonly string[], contract: Contract): ValidateFunction {
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const known = contract.validators.get(pointer);
  if (known) return known;
  const validate = contract.ajv.compile({ $ref: `${documentId}#/${pointer}` });
  contract.validators.set(pointer, validate);
  return validate;
}
