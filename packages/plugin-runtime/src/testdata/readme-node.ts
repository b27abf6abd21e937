import { createServer } from 'node:http';
import { consumerOf, createNodeMiddleware } from '@portcullis/plugin-runtime/node';
import { apiKey } from './readme-plugin.ts';

const plugins = createNodeMiddleware({
  plugins: [apiKey],
  inline: [{ name: 'api_key', config: { keys: { k1: 'acme' } } }],
  trustedProxies: ['10.0.0.0/8'],
});

export const server = createServer((request, response) => {
  plugins(request, response, () => response.end(`hello, ${consumerOf(request)?.id}`));
});
// In Express: app.use(plugins), before body parsers.
