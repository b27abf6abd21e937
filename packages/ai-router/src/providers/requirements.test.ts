import { expect, test } from 'vitest';
import { adapterOf } from './adapters.ts';
import { UnsupportedRequestError } from './errors.ts';
import { testCall, testProvider } from './provider.test-support.ts';
import { providerTypes } from './provider.ts';

const chat = { model: 'm', messages: [{ role: 'user', content: 'x' }] };
const tools = [{ type: 'function', function: { name: 'f' } }];
const format = { type: 'json_schema', json_schema: { name: 'n', schema: {} } };
const supports = { streamUsage: true, tools: true, jsonSchema: true };

test.each(providerTypes)('%s: what a config says it cannot do is not asked of it', async (type) => {
  const prepare = async (body: object, more: object): Promise<unknown> => {
    const provider = testProvider(type, 'https://host.test', {
      region: 'eu-west-1',
      supports: { ...supports, ...more },
    });
    const credential = { apiKey: 'k', accessKeyId: 'a', secretAccessKey: 'b' };
    return await adapterOf(type).prepare({ ...testCall({ provider, body: { ...chat, ...body } }), credential });
  };
  await expect(prepare({ tools }, { tools: false })).rejects.toThrow(UnsupportedRequestError);
  await expect(prepare({ tools: [] }, { tools: false })).resolves.toBeDefined();
  await expect(prepare({ response_format: format }, { jsonSchema: false })).rejects.toThrow(UnsupportedRequestError);
  await expect(prepare({ tools }, { jsonSchema: false })).resolves.toBeDefined();
});

test.each([{ text: { format: { type: 'json_schema' } } }, { output_config: { format: { type: 'json_schema' } } }])(
  '%j',
  (body) => {
    const provider = testProvider('openai', 'https://host.test', { supports: { ...supports, jsonSchema: false } });
    expect(() => adapterOf('openai').prepare(testCall({ provider, body, operation: 'responses' }))).toThrow(
      UnsupportedRequestError,
    );
  },
);
