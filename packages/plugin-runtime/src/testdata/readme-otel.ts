import { createFetchHandler } from '@portcullis/plugin-runtime/fetch';
import { otelEvents } from '@portcullis/plugin-runtime/otel';
import { apiKey } from './readme-plugin.ts';

export const handle = createFetchHandler({
  plugins: [apiKey],
  inline: [{ name: 'api_key', config: { keys: { k1: 'acme' } } }],
  events: otelEvents(),
  upstream: () => new Response('hello'),
});
