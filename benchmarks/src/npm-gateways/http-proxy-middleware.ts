import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { answerFailure, editAnswerOf, guarded, keepAliveAgent, listen } from './node-proxies.ts';
import type { StartNpmGateway } from './npm-gateway.ts';

/** `http-proxy-middleware` under Express 5. */
export const start: StartNpmGateway = ({ mode, upstream }) => {
  const app = express();
  app.disable('x-powered-by');
  const forward = createProxyMiddleware({
    target: upstream,
    agent: keepAliveAgent(),
    xfwd: true,
    on: {
      error: (_error, _request, response) => answerFailure(response),
      ...(mode === 'policies' ? { proxyRes: editAnswerOf } : {}),
    },
  });
  app.use(guarded(mode, (request, response) => void forward(request, response)));
  return listen(app);
};
