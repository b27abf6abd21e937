import { definePlugin } from '@portcullis/plugin-runtime';
import * as v from 'valibot';

export const apiKey = definePlugin({
  name: 'api_key',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  config: v.strictObject({ keys: v.record(v.string(), v.string()) }),
  setup({ keys }) {
    const clients = new Map(Object.entries(keys));
    return {
      request({ request }) {
        const id = clients.get(request.headers.get('x-api-key') ?? '');
        return id === undefined ? { status: 401, body: 'who are you?' } : { consumer: { id, groups: [] } };
      },
    };
  },
});
