import { createSigner, privateKeyFromSeed, verifyConsistency } from '@portcullis/audit-chain';
import { beforeAll, expect, it } from 'vitest';
import { gatewayOfChange } from '../../data-planes/gateway-revision.ts';
import { describeOnEachDatabase, silentLog } from '../../database/each-database.test-support.ts';
import { createServiceMetrics } from '../../operations/service-metrics.ts';
import { createRevisions } from '../../revisions/revisions.ts';
import { startTestService, silentLog as silent } from '../../testing/test-service.test-support.ts';
import type { TestService } from '../../testing/test-service.test-support.ts';
import { createAuditTrail } from '../audit-trail.ts';
import { createCheckpointer } from '../checkpoints/checkpointer.ts';
import { newestCheckpoint } from '../checkpoints/stored-checkpoints.ts';
import { pruneAudits } from './prune-audits.ts';

const audits = '/api/v1/admin/audits';
const dayMs = 86_400_000;

describeOnEachDatabase('retention of audit records', (context) => {
  let service: TestService | undefined;
  const signer = createSigner('log.test', privateKeyFromSeed(Buffer.alloc(32, 3)));
  const given = `log.test:${Buffer.alloc(32, 3).toString('base64')}`;
  const served = async <Result>(work: (at: TestService) => Promise<Result>): Promise<Result> => {
    service = await startTestService(context.url(), {
      settings: { PORTCULLIS_AUDIT_KEY: given, PORTCULLIS_AUDIT_ANCHOR: 'none' },
    });
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  };
  /** The parts that prune, at a later time. */
  const partsAt = (nowMs: () => number) => {
    const database = context.database();
    const { registry } = createServiceMetrics();
    const trail = createAuditTrail({ database, log: silent, nowMs, monotonicMs: () => performance.now(), registry });
    const clock = { nowMs };
    return {
      trail,
      parts: {
        database: trail.database,
        audit: trail.audit,
        revisions: createRevisions({ clock, database, gatewayOf: gatewayOfChange }),
      },
      checkpointer: createCheckpointer({ database, signer, nowMs, log: silentLog, onSigned: () => undefined }),
    };
  };
  const later = Date.now() + 10 * dayMs;
  const sizes = async (): Promise<number> =>
    Number(
      (
        await context
          .database()
          .read.selectFrom('audit_records')
          .select((eb) => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );

  beforeAll(async () => {
    await served(async (at) => {
      await at.addTenant('acme');
      await at.addTenant('globex');
      for (let index = 0; index < 30; index += 1) {
        const tenantId = index % 2 === 0 ? 'acme' : 'globex';
        await at.call('POST', `/api/v1/admin/consumers?tenant_id=${tenantId}`, { username: `c${index}` });
      }
    });
  });

  it('deletes nothing without a rule, before its time, or while somebody first in the log is to keep more', async () => {
    const before = await sizes();
    const { parts } = partsAt(() => later);
    expect(await pruneAudits(parts, later)).toBe(0);
    await served(async (at) => {
      // The log begins with records of no tenant, for which there is no rule.
      await at.call('PUT', `${audits}/retention`, { tenant_id: 'acme', days: 1 });
    });
    expect(await pruneAudits(parts, later)).toBe(0);
    await served(async (at) => {
      await at.call('PUT', `${audits}/retention`, { days: 20 });
    });
    expect(await pruneAudits(parts, later)).toBe(0);
    expect(await sizes()).toBeGreaterThan(before);
  });

  it('deletes the beginning of the log up to what was signed, says so, and what is left verifies and proves', async () => {
    await served(async (at) => {
      await at.call('PUT', `${audits}/retention`, { days: 5 });
    });
    const { parts, trail, checkpointer } = partsAt(() => later);
    await trail.chain.drain();
    await checkpointer.run();
    const signed = await newestCheckpoint(context.database().read, 'global');
    if (!signed) throw new Error('nothing was signed');
    // One more that nobody has signed yet.
    await served(async (at) => {
      await at.call('POST', '/api/v1/admin/consumers?tenant_id=acme', { username: 'unsigned' });
    });
    const total = await sizes();
    const pruned = await pruneAudits(parts, later);
    expect(pruned).toBeGreaterThan(30);
    expect(await sizes()).toBe(total - pruned + 1);
    await served(async (at) => {
      for (const body of [{}, { tenant_id: 'acme' }, { tenant_id: 'globex' }]) {
        const { body: verdict } = await at.call('POST', `${audits}/verify`, body);
        expect(verdict, JSON.stringify(verdict)).toMatchObject({ valid: true });
      }
      const { body: rule } = await at.call('GET', `${audits}/retention`);
      expect(rule).toMatchObject({ days: 5, pruned_through: pruned });
      const about = await at.call('GET', `${audits}/?entity=audit_log`);
      expect(about.body.items[0]).toMatchObject({ action: 'prune', metadata: { from: 1, through: pruned } });
      const { body: now } = await at.call('GET', `${audits}/checkpoint`);
      const proof = await at.call('GET', `${audits}/proof/consistency?from=${signed.size}&to=${now.size}`);
      const claim = { from: signed.size, fromRoot: signed.root, to: now.size, toRoot: now.root };
      expect(verifyConsistency({ ...claim, proof: proof.body.hashes })).toBe(true);
      expect((await at.call('GET', `${audits}/proof/inclusion?seq=1`)).status).toBe(409);
      const exported = await at.call('GET', `${audits}/export`);
      const [first = ''] = String(exported.body).split('\n');
      expect(JSON.parse(first).base).toMatchObject({ sequence: pruned, subtrees: expect.any(Array) });
    });
  });

  it('sees a beginning that was deleted without a record of it', async () => {
    const { parts, trail, checkpointer } = partsAt(() => later + dayMs);
    await trail.chain.drain();
    for (const chain of ['global', 'tenant:']) await checkpointer.upToDate(chain);
    const silentAudit = {
      append: async (): Promise<void> => undefined,
      writeDown: async () => ({ rows: [] }),
      appendWritten: async (): Promise<void> => undefined,
    };
    expect(await pruneAudits({ ...parts, audit: silentAudit }, later + 20 * dayMs)).toBeGreaterThan(0);
    await served(async (at) => {
      for (const body of [{}, { tenant_id: 'acme' }]) {
        const { body: verdict } = await at.call('POST', `${audits}/verify`, body);
        expect(verdict.valid, JSON.stringify(verdict)).toBe(false);
        expect(['pruned_unrecorded', 'pruned']).toContain(verdict.first_invalid.kind);
        expect(verdict.pruned_through).toBeGreaterThan(0);
      }
    });
  });
});
