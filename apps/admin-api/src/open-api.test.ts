import { randomBytes } from 'node:crypto';
import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { startService } from './start-service.ts';

const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // Only the description matters here.
}

async function describeRunningService(): Promise<string> {
  await using folder = await temporaryFolder();
  const settings = readConfig({
    PORTCULLIS_ADMIN_PORT: '0',
    PORTCULLIS_DATABASE_URL: `sqlite:${folder.join('test.db')}`,
    PORTCULLIS_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PORTCULLIS_ADMIN_PASSWORD: 'a long enough password',
  });
  if (!settings.ok) throw new Error(settings.errors.join(' '));
  const surroundings = { log: silent, release: '0.0.0', nowMs: Date.now, monotonicMs: () => performance.now() };
  const service = await startService(settings.config, surroundings);
  try {
    const response = await fetch(`${service.url}/openapi.json`);
    return `${JSON.stringify(await response.json(), null, 2)}\n`;
  } finally {
    await service.stop();
  }
}

describe('openapi.json', () => {
  it('is what the running service says of itself; `vitest run -u` writes it anew', async () => {
    await expect(await describeRunningService()).toMatchFileSnapshot('../openapi.json');
  });

  it('describes every family and no secret', async () => {
    const description = JSON.parse(await describeRunningService()) as { paths: Record<string, unknown> };
    const paths = Object.keys(description.paths);
    expect(paths).toContain('/api/v1/admin/gateways/{gateway_id}/routes/{route_id}');
    expect(paths).toContain('/api/v1/data-plane/config');
    expect(JSON.stringify(description)).not.toMatch(/"(?:secret_hash|password_hash|key_hash|token_id)"/);
  });
});
