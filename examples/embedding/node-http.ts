import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createNodeMiddleware } from '@portcullis/plugin-runtime/node';
import { builtInPlugins } from '@portcullis/plugins';
import { apiVersion } from './api-version.ts';

const plugins = createNodeMiddleware({
  plugins: [...builtInPlugins, apiVersion],
  inline: [
    { name: 'rate_limiter', priority: 10, config: { limit: 3, window_seconds: 3600, limit_by: 'ip' } },
    { name: 'api_version', config: { supported: ['1', '2'] } },
  ],
});

/** The application: it knows nothing of plugins. */
async function application(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.write(`version ${String(request.headers['accept-version'])}: `);
  for await (const chunk of request) response.write(chunk);
  response.end('\n');
}

const server = createServer((request, response) => {
  plugins(request, response, () => application(request, response));
});

server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
