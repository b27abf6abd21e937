import type { AddressInfo } from 'node:net';
import fastifyHttpProxy from '@fastify/http-proxy';
import fastify from 'fastify';
import { countRequest, consumerOf } from '../peers/minimal-policies.ts';
import { apiKey } from '../peers/terms.ts';
import { upstreamConnections } from './npm-gateway.ts';
import type { StartNpmGateway } from './npm-gateway.ts';
import { editRequestRecord, recordPolicies } from './record-policies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What is left of the limit. */
    left: number;
  }
}

/** `@fastify/http-proxy`, policies in its hooks. */
export const start: StartNpmGateway = async ({ mode, upstream }) => {
  const app = fastify({ logger: false, keepAliveTimeout: 65_000 });
  app.decorateRequest('left', 0);
  const connections = { connections: upstreamConnections, pipelining: 1 };
  if (mode === 'plain') await app.register(fastifyHttpProxy, { upstream, undici: connections });
  else {
    await app.register(fastifyHttpProxy, {
      upstream,
      undici: connections,
      preValidation: (request, reply, done) => {
        const consumer = consumerOf(request.headers[apiKey.header]);
        if (consumer === undefined) {
          reply.code(401).send();
          return;
        }
        request.left = countRequest(consumer, Date.now());
        if (request.left < 0) reply.code(429).send();
        else done();
      },
      replyOptions: {
        rewriteRequestHeaders: (_request, headers) => {
          editRequestRecord(headers);
          return headers;
        },
        rewriteHeaders: (headers, request) => {
          recordPolicies.editAnswer(headers, request?.left ?? 0);
          return headers;
        },
      },
    });
  }
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  return (app.server.address() as AddressInfo).port;
};
