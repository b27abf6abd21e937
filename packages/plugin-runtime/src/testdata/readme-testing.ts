import { testPlugin } from '@portcullis/plugin-runtime/testing';
import { apiKey } from './readme-plugin.ts';

const plugin = testPlugin(apiKey, { config: { keys: { k1: 'acme' } } });
export const passed = await plugin.send({ headers: { 'x-api-key': 'k1' } }, { body: 'hello' });
export const refused = await plugin.send();
// passed.consumer?.id is 'acme', refused.status is 401, refused.forwarded is undefined
