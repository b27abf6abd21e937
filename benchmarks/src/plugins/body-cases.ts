import type { CaseParts } from './plugin-case.ts';
import { completionOf, jsonBytes, orderOf } from './sample-bodies.ts';
import { usual } from './usual-headers.ts';

const json = [...usual, 'content-type', 'application/json'];
const jsonAnswer = ['content-type', 'application/json'];
const order = (bytes: number): Uint8Array => jsonBytes(orderOf(bytes));

/** Description of an order of {@link orderOf}. @param sku what each line's `sku` has to be besides a text */
export const orderSchemaOf = (sku: object): object => ({
  type: 'object',
  required: ['id', 'customer', 'lines'],
  properties: {
    id: { type: 'string', minLength: 1 },
    customer: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['sku', 'price'],
        properties: {
          sku: { type: 'string', ...sku },
          price: {
            type: 'object',
            properties: { amount: { type: 'number', minimum: 0 }, currency: { type: 'string', maxLength: 3 } },
          },
        },
      },
    },
  },
});

/** An order without regular expressions: tenants' run on an engine that is safe and slower than V8's, so that they are measured apart. */
export const orderSchema: object = orderSchemaOf({ minLength: 5 });

/** An order with one in each line. */
export const patternedOrderSchema: object = orderSchemaOf({ pattern: '^sku-[0-9]+$' });

/** An OpenAPI description with the one operation that orders are sent to. */
export const orderSpecOf = (schema: object): object => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      post: {
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { '200': { description: 'Taken' } },
      },
    },
  },
});

/** What is done to an order's JSON. */
export const jsonEdits = {
  target: 'request',
  remove: ['$.customer.password'],
  replace: { '$.customer.address.city': 'Bonn' },
  add: { '$.channel': 'web' },
} as const;

const document = `<order>${'<line><sku>1</sku><price currency="EUR">10</price></line>'.repeat(30)}<secret>x</secret></order>`;

/** Cases of plugins that change, check or judge bodies, by plugin. What has a part in responses runs them too. */
export const bodyCases: Readonly<Record<string, () => CaseParts>> = {
  response_header_setter: () => ({
    config: { set: { 'x-frame-options': 'DENY' }, remove: ['server'], rename: { 'x-old': 'x-new' } },
    headers: usual,
    isWhole: true,
    answer: [...jsonAnswer, 'server', 'any', 'x-old', '1'],
  }),
  body_transformer: () => ({
    config: { remove_fields: ['lines'], add_fields: { channel: 'web' } },
    ...{ method: 'POST', headers: json, body: order(1024) },
  }),
  response_transformer: () => ({
    config: { set_headers: { 'x-added': 'yes' }, add_json_fields: { channel: 'web' } },
    ...{ headers: usual, isWhole: true, answer: jsonAnswer },
  }),
  json_transform: () => ({ config: jsonEdits, method: 'POST', headers: json, body: order(10_240) }),
  xml_transform: () => ({
    config: { target: 'request', remove: ['/order/secret'], set: { '/order/@channel': 'web' } },
    ...{ method: 'POST', headers: [...usual, 'content-type', 'application/xml'], body: Buffer.from(document) },
  }),
  template_transform: () => ({
    config: { target: 'request', request_template: '{"who": "{{body.customer.name}}", "id": "{{body.id}}"}' },
    ...{ method: 'POST', headers: json, body: order(1024) },
  }),
  masking_transform: () => ({
    config: { target: 'request', json_paths: ['$.customer.email', '$..password'], headers: ['authorization'] },
    ...{ method: 'POST', headers: json, body: order(1024) },
  }),
  oas_validation: () => ({
    config: { spec: orderSpecOf(orderSchema) },
    ...{ method: 'POST', headers: json, body: order(1024) },
  }),
  ai_prompt_template: () => ({
    config: { system_prompt: 'Answer in one sentence.', user_suffix: ' (be kind)' },
    ...{ method: 'POST', headers: json },
    body: jsonBytes({ model: 'm', messages: [{ role: 'user', content: 'Who are you, and what can you do for me?' }] }),
  }),
  ai_response_guard: () => ({
    config: { block_pii: true, blocked_terms: ['project aurora', 'internal only'], action: 'mask' },
    ...{ headers: usual, isWhole: true, answer: jsonAnswer, answerBody: jsonBytes(completionOf(10_240)) },
  }),
  ai_response_transformer: () => ({
    config: { prefix: 'Note: ', replacements: { fox: 'cat' } },
    ...{ headers: usual, isWhole: true, answer: jsonAnswer, answerBody: jsonBytes(completionOf(1024)) },
  }),
};
