import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startProcess, type RunningProcess } from '@portcullis/testkit';
import { testToken, type FakeControlPlane } from '../testing/fake-control-plane.test-support.ts';

const args = ['--conditions=@portcullis/source', fileURLToPath(new URL('../main.ts', import.meta.url))];

/** Starting two processes from source may take long on a busy machine. */
export const timeoutMs = 60_000;

/** Ports of a node. */
export interface Ports {
  readonly proxy_port: number;
  readonly status_port: number;
}

/** What a node said when it listened; `undefined` before. */
export function portsOf(child: RunningProcess): Ports | undefined {
  const line = child
    .stdout()
    .split('\n')
    .find((text) => text.includes('"listening"'));
  return line === undefined ? undefined : (JSON.parse(line) as Ports);
}

/** Starts a node of two workers that serves what the control plane published. */
export function startNode(
  controlPlane: FakeControlPlane,
  cacheDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningProcess> {
  return startProcess({
    args,
    env: {
      PORTCULLIS_CONTROL_PLANE_URL: controlPlane.url,
      PORTCULLIS_DATA_PLANE_TOKEN: testToken,
      PORTCULLIS_CACHE_DIR: cacheDir,
      PORTCULLIS_PROXY_PORT: '0',
      PORTCULLIS_PROXY_TLS_PORT: '0',
      PORTCULLIS_STATUS_PORT: '0',
      PORTCULLIS_WORKERS: '2',
      ...env,
    },
    readyWhen: (running) => portsOf(running) !== undefined && controlPlane.acks.length > 0,
    readyTimeoutMs: timeoutMs,
  });
}

/** Processes that a process has started. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}
