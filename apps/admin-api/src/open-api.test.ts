import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { startTestService } from './testing/test-service.test-support.ts';

async function describeRunningService(): Promise<string> {
  await using folder = await temporaryFolder();
  const service = await startTestService(`sqlite:${folder.join('test.db')}`, { release: '0.0.0' });
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
