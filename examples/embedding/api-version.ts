import { definePlugin, type Plugin } from '@portcullis/plugin-runtime';
import * as v from 'valibot';

/** A plugin of our own: refuses API versions that are gone, and says which one answered. */
export const apiVersion: Plugin = definePlugin({
  name: 'api_version',
  version: '1.0.0',
  category: 'contract',
  triggers: ['both'],
  config: v.strictObject({ supported: v.pipe(v.array(v.string()), v.minLength(1)) }),
  setup({ supported }) {
    const known = new Set(supported);
    const latest = supported.at(-1) ?? '';
    return {
      request({ request }) {
        const wanted = request.headers.get('accept-version') ?? latest;
        if (!known.has(wanted)) return { status: 400, body: `versions: ${supported.join(', ')}\n` };
        return { headers: [{ op: 'set', name: 'accept-version', value: wanted }] };
      },
      response: ({ request }) => ({
        headers: [{ op: 'set', name: 'api-version', value: request.headers.get('accept-version') ?? '' }],
      }),
    };
  },
});
