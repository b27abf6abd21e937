import { definePlugin } from '@portcullis/plugin-runtime';
import { createFetchHandler } from '@portcullis/plugin-runtime/fetch';
import * as v from 'valibot';

const maintenance = definePlugin({
  name: 'maintenance',
  version: '1.0.0',
  category: 'traffic',
  triggers: ['before_request'],
  config: v.strictObject({ path: v.string(), message: v.string() }),
  setup({ path, message }) {
    return {
      request({ request }) {
        if (request.path.startsWith(path)) return new Response(message, { status: 503 });
        return { headers: [{ op: 'set', name: 'x-checked', value: 'yes' }] };
      },
    };
  },
});

export const handle = createFetchHandler({
  plugins: [maintenance],
  instances: [{ id: 'm1', name: 'maintenance', config: { path: '/orders', message: 'back at noon' } }],
  upstream: (request) => new Response(`hello, checked: ${request.headers.get('x-checked')}`),
});
