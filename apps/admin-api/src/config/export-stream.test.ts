import { eventually } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { TestService } from '../testing/test-service.test-support.ts';
import { ExportBudget } from './export-memory.ts';
import { exportStream } from './export-stream.ts';

function* lines(count: number, onMade: () => void): Generator<string, void> {
  for (let index = 0; index < count; index += 1) {
    onMade();
    yield `${'x'.repeat(999)}\n`;
  }
}

describe('exportStream', () => {
  it('makes pieces as they are fetched, and no more', async () => {
    let made = 0;
    let ended = 0;
    const stream = exportStream(
      lines(1000, () => (made += 1)),
      { onEnd: () => (ended += 1) },
    );
    const reader = stream.getReader();
    await reader.read();
    expect(made).toBeLessThan(150);
    let bytes = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length;
    expect(bytes).toBeGreaterThan(900_000);
    expect([made, ended]).toEqual([1000, 1]);
  });

  it('ends when it is given up, and when nobody fetches it', async () => {
    const ended: string[] = [];
    const options = (name: string) => ({ onEnd: () => void ended.push(name), idleMsMax: 5 });
    const cancelled = exportStream(
      lines(1000, () => undefined),
      { ...options('cancelled'), idleMsMax: 1_000_000 },
    );
    await cancelled.cancel();
    expect(ended).toEqual(['cancelled']);
    const idle = exportStream(
      lines(1000, () => undefined),
      options('idle'),
    );
    await eventually(() => expect(ended).toEqual(['cancelled', 'idle']));
    await expect(new Response(idle).text()).rejects.toThrow('not fetched in time');
  });
});

describe('ExportBudget', () => {
  it('is shared by all, and free again once it is given back', () => {
    const budget = new ExportBudget(100);
    const [one, other] = [budget.open('acme'), budget.open('globex')];
    one.take(60);
    expect(() => other.take(50)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    other.take(40);
    one.give(20);
    other.take(20);
    one.giveAll();
    one.giveAll();
    other.giveAll();
    expect(budget.used).toBe(0);
  });

  it('gives one export of a tenant all there is, and several of them half', () => {
    const budget = new ExportBudget(100);
    const [first, second, other] = [budget.open('acme'), budget.open('acme'), budget.open('globex')];
    first.take(45);
    second.take(5);
    for (const one of [first, second]) {
      expect(() => one.take(1)).toThrow(expect.objectContaining({ code: 'rate_limited', status: 429 }));
    }
    other.take(50);
    other.giveAll();
    second.giveAll();
    first.take(55);
    expect(() => second.take(1)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    first.giveAll();
    second.take(100);
    second.giveAll();
    expect(budget.used).toBe(0);
  });
});

describeOnEachDatabase('exports that nobody reads', (context) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    const ai = Array.from({ length: 4000 }, (_, index) => ({
      kind: 'policy',
      name: `n${index}`,
      description: `${index} `.repeat(100).slice(0, 500),
    }));
    const made = await service.call('POST', '/api/v1/admin/config/import', { tenant_id: 'acme', ai_records: ai });
    expect(made.body.status, JSON.stringify(made.body).slice(0, 300)).toBe('success');
  }, 60_000);
  afterAll(() => service.stop());

  it('keep no part of the database from others', async () => {
    const gone = new AbortController();
    for (let index = 0; index < 16; index += 1) {
      const response = await fetch(`${service.url}/api/v1/admin/config/export?tenant_id=acme`, {
        headers: { authorization: `Bearer ${service.token}` },
        signal: gone.signal,
      });
      expect(response.status).toBe(200);
    }
    const written = await service.call('POST', '/api/v1/admin/config/import', {
      tenant_id: 'acme',
      gateways: [{ name: 'g' }],
    });
    expect(written.body.status).toBe('success');
    const whole = await service.call('GET', '/api/v1/admin/config/export?tenant_id=acme');
    expect(whole.body.ai_records).toHaveLength(4000);
    expect(whole.body.gateways).toHaveLength(1);
    gone.abort();
  }, 60_000);
});
