import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { eventually } from '@portcullis/testkit';
import type { RecordedRequest } from '@portcullis/testkit';
import { expect } from 'vitest';
import type { AdminAnswer } from './admin.ts';
import { startStack } from './stack.ts';
import type { Stack } from './stack.ts';

/** How long a change may take from the administration API to a request, on a busy machine. */
const propagationMs = 30_000;

type Headers = Readonly<Record<string, string>>;

/** A request's answer, and what of it reached the upstream. */
export interface Called {
  readonly status: number;
  /** A header's value; `undefined` without it. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
  readonly upstream: RecordedRequest | undefined;
}

/** A control plane, a gateway that calls loopback addresses, an upstream, and routes with one plugin each. */
export interface ProtectedRoutes extends AsyncDisposable {
  readonly stack: Stack;
  /** Does what must succeed in the administration API. @throws an assertion error with the answer */
  admin(method: string, path: string, body?: unknown): Promise<AdminAnswer['body']>;
  /** Makes a consumer with a credential. @returns the credential's path */
  consumer(username: string, credential?: object): Promise<string>;
  /**
   * Makes a route below `/NAME` whose plugin is an instance of the collection, scoped to the route.
   * @param serviceId where it leads. Default: the upstream that echoes
   */
  protect(name: string, plugin: string, config: object, serviceId?: string): Promise<void>;
  /** @param from the address of this machine that the call comes from */
  call(path: string, headers?: Headers, from?: string): Promise<Called>;
  /** Calls until the answer has this status, which a change brings. */
  until(status: number, path: string, headers?: () => Headers, from?: string): Promise<Called>;
}

/**
 * Starts all of it.
 * @param settings of the gateway process
 * @param names of the gateway's record and of the service
 */
export async function startProtectedRoutes(
  settings: Headers = {},
  { gateway, service } = { gateway: 'edge', service: 'echo' },
): Promise<ProtectedRoutes> {
  const stack = await startStack();
  const at = (path: string): string => `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=default`;
  const admin: ProtectedRoutes['admin'] = async (method, path, body) => {
    const answer = await stack.admin.call(method, at(path), body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Default', slug: 'default' });
  await admin('POST', '/gateways', { id: gateway, name: gateway });
  await admin('POST', `/gateways/${gateway}/services`, { id: service, name: service, url: stack.upstream.url });
  const node = await admin('POST', '/data-planes', { gateway_id: gateway, name: 'node' });
  await stack.startGateway(node.token, { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8,::1', ...settings });
  const call: ProtectedRoutes['call'] = async (path, headers = {}, from = '127.0.0.1') => {
    stack.upstream.requests.length = 0;
    const answer = await answerTo(`${stack.gatewayUrl}${path}`, headers, from);
    return {
      status: answer.statusCode ?? 0,
      header: (name) => [answer.headers[name]].flat()[0],
      body: await text(answer),
      upstream: stack.upstream.requests.at(-1),
    };
  };
  return {
    stack,
    admin,
    async consumer(username, credential) {
      const { id } = await admin('POST', '/consumers', { username });
      if (credential === undefined) return '';
      const made = await admin('POST', `/consumers/${id}/credentials`, credential);
      return `/consumer-credentials/${made.id}`;
    },
    async protect(name, plugin, config, serviceId = service) {
      // Never open: the route is on once its plugin is there.
      const route = { id: name, name, path: `/${name}`, service_id: serviceId, enabled: false };
      await admin('POST', `/gateways/${gateway}/routes`, route);
      await admin('POST', '/plugins', { name: plugin, scope: 'route', route_id: name, config });
      await admin('PATCH', `/gateways/${gateway}/routes/${name}`, { enabled: true });
    },
    call,
    until: (status, path, headers = () => ({}), from = '127.0.0.1') =>
      eventually(
        async () => {
          const called = await call(path, headers(), from);
          if (called.status !== status) throw new Error(`${path} answers ${called.status}: ${called.body}`);
          return called;
        },
        { timeoutMs: propagationMs },
      ),
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

/** What clients send to pass for somebody else. Each must be gone, or be the gateway's own, when it reaches the upstream. */
export const spoofed: Headers = {
  'x-consumer-id': 'mallory',
  'x-consumer-username': 'mallory',
  'x-consumer-groups': 'admins',
  'x-credential-identifier': 'mallory',
};

/** @throws an assertion error when a refusal is not one that a client of HTTP understands, or reached the upstream */
export function expectRefused(called: Called): void {
  expect(called.status, called.body).toBe(401);
  expect(called.header('content-type')).toContain('application/problem+json');
  expect(called.header('www-authenticate')).toBeTruthy();
  expect(JSON.parse(called.body)).toMatchObject({ status: 401, code: 'unauthenticated' });
  expect(called.upstream).toBeUndefined();
}

/** @throws an assertion error when the request did not reach the upstream as this consumer's, or brought something spoofed along */
export function expectIdentity(called: Called, headers: Headers): void {
  expect(called.status, called.body).toBe(200);
  expect(called.upstream?.headers).toMatchObject(headers);
  expect(JSON.stringify(called.upstream?.rawHeaders)).not.toMatch(/mallory|admins/);
}

function answerTo(url: string, headers: Headers, localAddress: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { ...headers }, localAddress, agent: false }, resolve).once('error', reject);
  });
}
