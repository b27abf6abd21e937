import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { createHonoMiddleware, type RuntimeVariables } from '@portcullis/plugin-runtime/hono';
import { builtInPlugins } from '@portcullis/plugins';
import { Hono } from 'hono';

const app = new Hono<{ Variables: RuntimeVariables }>();

app.use(
  createHonoMiddleware({
    plugins: builtInPlugins,
    inline: [
      { name: 'api_key_auth', priority: 20, config: { valid_keys: [{ key: 'the-key-of-acme', consumer: 'acme' }] } },
      { name: 'rate_limiter', priority: 10, config: { limit: 2, window_seconds: 3600, limit_by: 'consumer' } },
      { name: 'response_header_setter', config: { set: { 'X-Frame-Options': 'DENY' } } },
    ],
    clientIp: (c) => getConnInfo(c).remote.address ?? '',
  }),
);

app.get('/', (c) => c.text(`hello, ${c.var.exchange.consumer?.id}\n`));

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`);
});
