import httpProxy from 'http-proxy';
import { answerFailure, editAnswerOf, guarded, keepAliveAgent, listen } from './node-proxies.ts';
import type { StartNpmGateway } from './npm-gateway.ts';

/** `http-proxy`, still the one that most install. */
export const start: StartNpmGateway = ({ mode, upstream }) => {
  const proxy = httpProxy.createProxyServer({ target: upstream, agent: keepAliveAgent(), xfwd: true });
  proxy.on('error', (_error, _request, response) => answerFailure(response));
  if (mode === 'policies') proxy.on('proxyRes', (answer, request) => editAnswerOf(answer, request));
  return listen(guarded(mode, (request, response) => proxy.web(request, response)));
};
