import { createProxyServer } from 'httpxy';
import { answerFailure, editAnswerOf, guarded, keepAliveAgent, listen } from './node-proxies.ts';
import type { StartNpmGateway } from './npm-gateway.ts';

/** `httpxy`: what http-proxy became. */
export const start: StartNpmGateway = ({ mode, upstream }) => {
  const proxy = createProxyServer({ target: upstream, agent: keepAliveAgent(), xfwd: true });
  proxy.on('error', (_error, _request, response) => answerFailure(response));
  if (mode === 'policies') proxy.on('proxyRes', (answer, request) => editAnswerOf(answer, request));
  return listen(guarded(mode, (request, response) => void proxy.web(request, response)));
};
