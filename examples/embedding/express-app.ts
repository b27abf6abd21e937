import { consumerOf, createNodeMiddleware, tellFailure } from '@portcullis/plugin-runtime/node';
import { builtInPlugins } from '@portcullis/plugins';
import express from 'express';
import { apiVersion } from './api-version.ts';

const app = express();

// Before everything that reads bodies.
app.use(
  createNodeMiddleware({
    plugins: [...builtInPlugins, apiVersion],
    inline: [
      { name: 'api_key_auth', priority: 20, config: { valid_keys: [{ key: 'the-key-of-acme', consumer: 'acme' }] } },
      { name: 'api_version', priority: 10, config: { supported: ['1', '2'] } },
      { name: 'correlation_id', trigger: 'both', config: {} },
    ],
    trustedProxies: ['10.0.0.0/8'],
  }),
);
app.use(express.json());

app.get('/', (request, response) => {
  response.send(`hello, ${consumerOf(request)?.id}, in version ${request.get('accept-version')}\n`);
});
app.post('/echo', ({ body }, response) => {
  response.json(body);
});
app.get('/broken', () => {
  throw new Error('a handler that fails');
});
app.use(tellFailure);

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
