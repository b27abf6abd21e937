import { createFetchHandler, type FetchHandler } from '@portcullis/plugin-runtime/fetch';
import { builtInPlugins } from '@portcullis/plugins';

/** A function from `Request` to `Response`, behind an API key, a limit and a header. */
export const handle: FetchHandler = createFetchHandler({
  plugins: builtInPlugins,
  inline: [
    { name: 'api_key_auth', priority: 20, config: { valid_keys: [{ key: 'the-key-of-acme', consumer: 'acme' }] } },
    { name: 'rate_limiter', priority: 10, config: { limit: 2, window_seconds: 3600, limit_by: 'consumer' } },
    { name: 'response_header_setter', config: { set: { 'X-Frame-Options': 'DENY' } } },
  ],
  upstream: () => new Response('hello'),
});
