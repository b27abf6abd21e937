import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';
import { wholeTenant } from './whole-tenant.test-support.ts';

/** Records that nothing but their IDs tells apart keep the order in which they were made. */
const withoutTwins = (bundle: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...bundle,
  plugins: (bundle['plugins'] as readonly object[]).slice(1),
});

describeOnEachDatabase('the order of an export', (context) => {
  let service: TestService;
  let tenants = 0;
  const config = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `/api/v1/admin/config/${path}`, body);
  /** A tenant that was given the bundle as it stands, and its export, without what tells tenants apart. */
  const exportedFrom = async (bundle: Readonly<Record<string, unknown>>): Promise<string> => {
    const tenant = `t${(tenants += 1)}`;
    await service.addTenant(tenant);
    const applied = await config('POST', 'import', { ...bundle, tenant_id: tenant });
    expect(applied.body.status, JSON.stringify(applied.body)).toBe('success');
    const exported = await config('GET', `export?tenant_id=${tenant}&ids=false&format=yaml`);
    // The digests of masks are made with a key of the tenant.
    return exported.body.replace(`tenant_id: ${tenant}`, '').replaceAll(/\[redacted:[0-9a-f]{8}\]/g, '[redacted]');
  };

  beforeAll(async () => {
    service = await startTestService(context.url());
  });
  afterAll(() => service.stop());

  it('depends on the content alone: not on when and in which order records were written, nor on their IDs', async () => {
    const bundle = withoutTwins(wholeTenant('x'));
    const first = await exportedFrom(bundle);
    expect(first).toContain('[redacted]');
    const lists = Object.entries(bundle).filter((entry): entry is [string, object[]] => Array.isArray(entry[1]));
    const shuffles = fc.tuple(...lists.map(([, list]) => fc.shuffledSubarray(list, { minLength: list.length })));
    await fc.assert(
      fc.asyncProperty(shuffles, async (shuffled) => {
        const other = Object.fromEntries(lists.map(([key], index) => [key, (shuffled[index] ?? []).map(turned)]));
        expect(await exportedFrom(other)).toBe(first);
      }),
      { numRuns: 6 },
    );
  }, 120_000);

  it('stays when a record is written again', async () => {
    await service.addTenant('again');
    const gateways = ['b', 'a', 'c'].map((name) => ({ name }));
    await config('POST', 'import', { tenant_id: 'again', gateways });
    const before = await config('GET', 'export?tenant_id=again');
    expect(before.body.gateways.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
    for (const hosts of [['x.test'], []]) {
      await config('POST', 'import?overwrite=true', { tenant_id: 'again', gateways: [{ name: 'b', hosts }] });
    }
    expect((await config('GET', 'export?tenant_id=again')).body).toEqual(before.body);
  });
});

/** The same record with its fields in the reverse order. */
function turned(record: object): object {
  return Object.fromEntries(Object.entries(record).toReversed());
}
