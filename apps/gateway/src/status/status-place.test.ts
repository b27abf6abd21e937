import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startTestGateway } from '../testing/test-gateway.test-support.ts';

/** Whether something listens at an address of this machine. */
function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}

it('metrics and the other pages of the status port are for this machine, and not on the port of clients', async () => {
  await using gateway = await startTestGateway({ services: [], routes: [] });
  const status = new URL(gateway.statusUrl);
  const port = Number(status.port);
  expect(await isListening('127.0.0.1', port)).toBe(true);
  // Whoever listens everywhere listens here, too.
  expect(await isListening('127.0.0.2', port)).toBe(false);
  for (const path of ['/metrics', '/config', '/routes']) {
    expect([path, (await fetch(`${gateway.url}${path}`)).status]).toEqual([path, 404]);
  }
  expect((await fetch(`${gateway.statusUrl}/metrics`)).status).toBe(200);
});
