import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  createLocalLimits,
  createRouter,
  readModelRoute,
  readPolicy,
  readProvider,
  systemTimers,
  TargetOrder,
} from '@portcullis/ai-router';
import { createEgress } from '@portcullis/egress';

const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };

/** A server for chats: two providers, one model for clients, at most 100 requests a minute of everybody together. */
export function chatServer(firstUrl: string, secondUrl: string): Server {
  const router = createRouter({
    tenantId: 'acme',
    providers: [
      readProvider({ name: 'first', type: 'openai_compatible', base_url: firstUrl, api_key: 'key-1' }),
      readProvider({ name: 'second', type: 'openai_compatible', base_url: secondUrl, api_key: 'key-2' }),
    ],
    routes: [
      readModelRoute('chat', {
        strategy: 'ordered',
        targets: [
          { provider: 'first', model: 'large' },
          { provider: 'second', model: 'small' },
        ],
      }),
    ],
    policies: [readPolicy('default', { rate_limit: 100, rate_window_seconds: 60 })],
    ordering: new TargetOrder(clock),
    limits: createLocalLimits({ clock }),
    // The way out calls public addresses over TLS, and what is listed here.
    transport: createEgress({ allowed: [{ address: '127.0.0.1' }] }),
    clock,
    timers: systemTimers,
  });
  return createServer((req, res) => {
    const leaving = new AbortController();
    res.on('close', () => leaving.abort());
    const answering = buffer(req).then(async (body) => {
      const requestId = crypto.randomUUID();
      const answer = await router.handle({ operation: 'chat', body, requestId }, leaving.signal);
      res.writeHead(answer.status, [...answer.headers]);
      const stream = answer.body;
      if (typeof stream === 'string' || stream instanceof Uint8Array) return res.end(stream);
      res.on('drain', () => stream.resume()).on('close', () => stream.cancel());
      return stream.start({ write: (bytes) => res.write(bytes), end: () => res.end(), fail: () => res.destroy() });
    });
    answering.catch(() => res.destroy());
  });
}
