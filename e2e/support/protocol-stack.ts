import { fileURLToPath } from 'node:url';
import { eventually, freePort, startProcess, type RunningProcess } from '@portcullis/testkit';
import {
  alternativeNames,
  generalName,
  makeAuthority,
  makeCertificate,
  type CertificateOrder,
  type MadeCertificate,
} from '@portcullis/testkit/certificates';
import { expect } from 'vitest';
import type { AdminAnswer } from './admin.ts';
import { startStack, type Stack } from './stack.ts';

const gatewayEntry = fileURLToPath(new URL('../../apps/gateway/dist/main.js', import.meta.url));

/** How long a node may take to start, on a busy machine. */
const startMs = 60_000;

/** A gateway's process, and where it listens. */
export interface GatewayNode extends AsyncDisposable {
  readonly process: RunningProcess;
  readonly url: string;
  readonly port: number;
  readonly tlsPort: number;
  /** The value of a metric, all its series with these labels added up. */
  metric(name: string, labels?: string): Promise<number>;
}

/** A control plane with one gateway record, whose processes are started once it has its configuration. */
export interface ProtocolStack extends AsyncDisposable {
  readonly stack: Stack;
  /** Signs the certificates of {@link ProtocolStack.certify}. */
  readonly authority: MadeCertificate;
  /** Does what must succeed in the administration API. @throws an assertion error with the answer */
  admin(method: string, path: string, body?: unknown): Promise<AdminAnswer['body']>;
  /** Makes a record of the gateway: `create('routes', …)`. */
  create(family: string, record: object): Promise<AdminAnswer['body']>;
  /** A certificate for DNS names and 127.0.0.1, signed by {@link ProtocolStack.authority} unless the order says otherwise. */
  certify(names: readonly string[], order?: CertificateOrder | 'self-signed'): MadeCertificate;
  /** Puts a certificate in place for server names, which are those of its record. */
  present(certificate: MadeCertificate, names: readonly string[], sni?: object): Promise<AdminAnswer['body']>;
  /** Starts a process of the gateway and waits until it serves what is configured now. */
  startNode(settings?: Readonly<Record<string, string>>): Promise<GatewayNode>;
}

/** Starts the control plane. The gateway's record is called `edge`. */
export async function startProtocolStack(): Promise<ProtocolStack> {
  const stack = await startStack();
  const authority = makeAuthority({ subject: 'Edge CA' });
  const nodes: GatewayNode[] = [];
  let certificates = 0;
  let started = 0;
  const admin: ProtocolStack['admin'] = async (method, path, body) => {
    const at = `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=default`;
    const answer = await stack.admin.call(method, at, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const create: ProtocolStack['create'] = (family, record) => admin('POST', `/gateways/edge/${family}`, record);
  await stack.admin.call('POST', '/api/v1/admin/tenants', { name: 'Default', slug: 'default' });
  await admin('POST', '/gateways', { id: 'edge', name: 'edge' });
  await create('ca-certificates', { name: 'edge-ca', cert: authority.pem });
  return {
    stack,
    authority,
    admin,
    create,
    certify: (names, order = {}) => {
      const common = {
        subject: names[0] ?? 'nobody',
        extensions: [alternativeNames(...names.map(generalName.dns), generalName.ip(127, 0, 0, 1))],
        serial: (certificates += 1),
      };
      return makeCertificate(order === 'self-signed' ? common : { issuer: authority, ...common, ...order });
    },
    present: async ({ pem, keyPem }, names, sni = {}) => {
      const record = await create('certificates', {
        name: `of-${names.join('-')}`.replaceAll('*', 'any'),
        cert: pem,
        key: keyPem,
      });
      for (const name of names) await create('snis', { name, certificate_id: record.id, ...sni });
      return record;
    },
    startNode: async (settings = {}) => {
      const number = (started += 1);
      const { token } = await admin('POST', '/data-planes', { gateway_id: 'edge', name: `node-${number}` });
      const node = await startNode(stack, token, number, settings);
      nodes.push(node);
      return node;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
      await stack[Symbol.asyncDispose]();
    },
  };
}

async function startNode(
  stack: Stack,
  token: string,
  number: number,
  settings: Readonly<Record<string, string>>,
): Promise<GatewayNode> {
  const [port, tlsPort, statusPort] = [await freePort(), await freePort(), await freePort()];
  const process = await startProcess({
    args: [gatewayEntry],
    env: {
      PORTCULLIS_CONTROL_PLANE_URL: stack.adminUrl,
      PORTCULLIS_DATA_PLANE_TOKEN: token,
      PORTCULLIS_PROXY_PORT: `${port}`,
      PORTCULLIS_PROXY_TLS_PORT: `${tlsPort}`,
      PORTCULLIS_STATUS_PORT: `${statusPort}`,
      PORTCULLIS_CACHE_DIR: stack.folder.join(`cache-${number}`),
      PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
      PORTCULLIS_LOG_LEVEL: 'debug',
      ...settings,
    },
    readyWhen: ({ stdout }) => stdout().includes('"listening"'),
    // Workers start one after the other's modules where there are few cores.
    readyTimeoutMs: startMs,
  });
  const status = `http://127.0.0.1:${statusPort}`;
  await eventually(async () => (await fetch(`${status}/ready`)).status === 200, { timeoutMs: startMs });
  return {
    process,
    url: `http://127.0.0.1:${port}`,
    port,
    tlsPort,
    metric: async (name, labels = '') => {
      const text = await (await fetch(`${status}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith(name) && line.includes(labels));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
    [Symbol.asyncDispose]: async () => {
      await process.kill();
    },
  };
}

/** Runs a program to its end. @returns its exit code, and what it printed, both streams */
export async function runProgram(
  command: string,
  args: readonly string[],
  input?: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  await using child = await startProcess({ command, args, ...(input !== undefined && { input }) });
  const { code } = await child.exited;
  return { code, said: child.stdout() + child.stderr() };
}

/** Memory of a process and its children, in MB. */
export async function residentMb(pid: number): Promise<number> {
  const { said } = await runProgram('ps', ['-o', 'rss=', '-p', `${pid}`, '--ppid', `${pid}`]);
  return said.split('\n').reduce((sum, line) => sum + Number(line), 0) / 1024;
}
