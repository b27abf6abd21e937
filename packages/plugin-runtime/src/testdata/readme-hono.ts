import { createHonoMiddleware, type RuntimeVariables } from '@portcullis/plugin-runtime/hono';
import { Hono } from 'hono';
import { apiKey } from './readme-plugin.ts';

export const app = new Hono<{ Variables: RuntimeVariables }>();
app.use(createHonoMiddleware({ plugins: [apiKey], inline: [{ name: 'api_key', config: { keys: { k1: 'acme' } } }] }));
app.get('/', (c) => c.text(`hello, ${c.var.exchange.consumer?.id}`));
