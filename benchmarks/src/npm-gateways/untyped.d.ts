/** The parts that are used here of packages that bring no types. */
declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  interface Application extends RequestListener {
    (request: IncomingMessage, response: ServerResponse): void;
    disable(setting: string): void;
    use(handler: RequestListener): void;
  }

  export default function express(): Application;
}

declare module 'http-proxy' {
  import type { Agent, IncomingMessage, ServerResponse } from 'node:http';

  interface ProxyServer {
    on(event: 'error', listener: (error: Error, request: IncomingMessage, response: unknown) => void): void;
    on(event: 'proxyRes', listener: (answer: IncomingMessage, request: IncomingMessage) => void): void;
    web(request: IncomingMessage, response: ServerResponse): void;
  }

  const httpProxy: {
    createProxyServer(options: { target: string; agent: Agent; xfwd: boolean }): ProxyServer;
  };
  export default httpProxy;
}
