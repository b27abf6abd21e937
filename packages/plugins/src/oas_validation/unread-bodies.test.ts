import { describe, expect, it } from 'vitest';
import { requestThrough, responseThrough } from '../testing/json-messages.ts';
import { oasValidation } from './index.ts';

const schema = {
  type: 'object',
  required: ['a'],
  properties: { a: { type: 'integer' } },
  additionalProperties: false,
};

function spec(type: string, described: object = schema) {
  const body = { required: true, content: { [type]: { schema: described } } };
  const responses = { default: { description: '', content: body.content } };
  const paths = { '/': { post: { requestBody: body, responses } } };
  return { openapi: '3.1.0', info: { title: 't', version: '1' }, paths };
}

const [good, bad] = ['{"a":1}', '{"a":"x","is_admin":true}'];
const type = (name: string, ...more: string[]) => ['content-type', name, ...more];
const part = ['content-range', 'bytes 0-5/9'];

describe.each([false, true])('with strict: %s', (strict) => {
  it.each<[string, string, string[], string, number]>([
    ['a part, as the client says', 'application/json', type('application/json', ...part), bad, 400],
    ['a part under a range', '*/*', type('application/octet-stream', ...part), bad, 400],
    ['any bytes', '*/*', type('application/octet-stream'), bad, 400],
    ['any bytes that are as described', '*/*', type('application/octet-stream'), good, 0],
    ['no type', '*/*', [], bad, 400],
    ['no type, as described', '*/*', [], good, 0],
    ['a type of their own', 'application/*', type('application/x-json'), bad, 400],
    ['what is like JSON', '*/*', type('application/x-json'), '{"a":1,}', 400],
    ['a stream', 'application/*', type('application/grpc+json'), bad, 400],
    ['what the range is not for', 'text/*', type('application/json'), good, 400],
  ])('a request of %s', async (_name, described, headers, body, status) => {
    expect((await requestThrough(oasValidation, { spec: spec(described), strict }, body, headers)).status).toBe(status);
  });

  it('XML and binary bodies under a range', async () => {
    const through = async (schemaOfIt: object, name: string, body: string | Uint8Array) =>
      (await requestThrough(oasValidation, { spec: spec('*/*', schemaOfIt), strict }, body, type(name))).status;
    const bytes = Uint8Array.of(0xff, 0x00);
    const text = { type: 'string', maxLength: 3 };
    expect([
      await through(schema, 'application/xml', '<a/>'),
      await through(text, 'image/png', bytes),
      await through(text, 'application/x-any', '123'),
      await through(text, 'application/x-any', '1234'),
      await through(schema, 'image/png', bytes),
    ]).toEqual([strict ? 400 : 0, 0, 0, 400, 400]);
  });

  it('a part of an answer, and answers under a range', async () => {
    const through = async (described: string, headers: string[], body: string, status = 200) =>
      (
        await responseThrough(oasValidation, { spec: spec(described), strict }, body, headers, {
          status,
          request: { path: '/' },
        })
      ).status;
    expect([
      await through('application/json', type('application/json', ...part), bad, 206),
      await through('*/*', type('application/x-json'), bad),
      await through('*/*', type('application/x-json'), good),
      await through('*/*', type('application/pdf'), '%PDF'),
      await through('*/*', type('text/event-stream'), 'data: x\n\n'),
    ]).toEqual([502, 502, 200, strict ? 502 : 200, 200]);
  });
});
