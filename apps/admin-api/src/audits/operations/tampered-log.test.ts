import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../../database/each-database.test-support.ts';
import { startTestService } from '../../testing/test-service.test-support.ts';
import type { TestService } from '../../testing/test-service.test-support.ts';

const path = '/api/v1/admin/audits/verify';

/** What somebody with the database's password does, and what the verification of the log over all tenants says of it. */
const cases: readonly {
  readonly title: string;
  readonly statements: readonly string[];
  readonly undo: readonly string[];
  readonly kind: string;
  /** Sequence of the first bad record; 0 where it depends on how many there are. */
  readonly at: number;
}[] = [
  {
    title: 'a column is edited',
    statements: [`update audit_records set entity_id = entity_id || 'x' where global_sequence = 105`],
    undo: [
      `update audit_records set entity_id = substr(entity_id, 1, length(entity_id) - 1) where global_sequence = 105`,
    ],
    kind: 'display_edited',
    at: 105,
  },
  {
    title: 'the hashed text is edited',
    statements: [
      `update audit_records set canonical = replace(canonical, 'create', 'delete') where global_sequence = 106`,
    ],
    undo: [`update audit_records set canonical = replace(canonical, 'delete', 'create') where global_sequence = 106`],
    kind: 'edited',
    at: 106,
  },
  {
    title: 'a value is edited',
    statements: [
      `update audit_records set disclosures = replace(disclosures, '"127.0.0.1"', '"127.0.0.2"') where global_sequence = 107`,
    ],
    undo: [
      `update audit_records set disclosures = replace(disclosures, '"127.0.0.2"', '"127.0.0.1"') where global_sequence = 107`,
    ],
    kind: 'disclosure_mismatch',
    at: 107,
  },
  {
    title: 'a record is unchained',
    statements: [`update audit_records set global_sequence = 100000 where global_sequence = 108`],
    undo: [`update audit_records set global_sequence = 108 where global_sequence = 100000`],
    kind: 'missing',
    at: 108,
  },
  {
    title: 'values are erased by nobody',
    statements: [
      `create table kept_record as select disclosures, source_ip from audit_records where global_sequence = 109`,
      `update audit_records set disclosures = '{"before":null,"after":null,"metadata":null,"source_ip":null,"actor_username":null}', actor_username = '', source_ip = '' where global_sequence = 109`,
    ],
    undo: [
      `update audit_records set disclosures = (select disclosures from kept_record), source_ip = (select source_ip from kept_record), actor_username = (select actor_username from audit_records where global_sequence = 110) where global_sequence = 109`,
      `drop table kept_record`,
    ],
    kind: 'erased_unrecorded',
    at: 109,
  },
  {
    title: 'the head is set back',
    statements: [`update audit_heads set sequence = sequence - 3 where chain = 'global'`],
    undo: [`update audit_heads set sequence = sequence + 3 where chain = 'global'`],
    kind: 'tail_deleted',
    at: 0,
  },
  {
    title: 'a node of the tree is edited',
    statements: [`update audit_nodes set hash = '0' || hash where chain = 'global' and level = 8 and position = 0`],
    undo: [`update audit_nodes set hash = substr(hash, 2) where chain = 'global' and level = 8 and position = 0`],
    kind: 'node_edited',
    at: 1,
  },
];

describeOnEachDatabase('a log that somebody rewrote in the database', (context) => {
  let service: TestService;
  const verify = () => service.call('POST', path, {});
  const run = async (statements: readonly string[]): Promise<void> => {
    await context.database().transaction(async (transaction) => {
      for (const statement of statements) await sql.raw(statement).execute(transaction);
    });
  };

  beforeAll(async () => {
    service = await startTestService(context.url(), { settings: { PORTCULLIS_AUDIT_ANCHOR: 'none' } });
    await service.addTenant('acme');
    // More than the 256 leaves of which a node is kept.
    const consumers = Array.from({ length: 260 }, (_, index) => ({ username: `c${index}` }));
    const bundle = { tenant_id: 'acme', consumers };
    const imported = await service.call('POST', '/api/v1/admin/config/import?tenant_id=acme', bundle);
    expect(imported.status, JSON.stringify(imported.body).slice(0, 300)).toBe(200);
    expect((await service.call('GET', '/api/v1/admin/audits/checkpoint')).status).toBe(200);
    // Whoever owns the database takes its guards away first.
    const isPostgres = context.dialect === 'postgres';
    const on = (table: string): string => (isPostgres ? ` on ${table}` : '');
    await run([
      ...['fixed', 'linked', 'disclosed'].map((name) => `drop trigger audit_records_${name}${on('audit_records')}`),
      `drop trigger audit_heads_forward${on('audit_heads')}`,
    ]);
  });
  afterAll(() => service.stop());

  it('is whole before', async () => {
    expect((await verify()).body).toMatchObject({ valid: true });
  });

  it.each(cases)('$title: $kind', async ({ statements, undo, kind, at }) => {
    await run(statements);
    const { status, body } = await verify();
    expect([status, body.valid, body.first_invalid?.kind], JSON.stringify(body)).toEqual([200, false, kind]);
    if (at > 0) expect(body.first_invalid.sequence).toBe(at);
    await run(undo);
    expect((await verify()).body).toMatchObject({ valid: true });
  });

  it('is not signed any more once it does not continue what was signed', async () => {
    await run([`update audit_heads set sequence = sequence - 3 where chain = 'global'`]);
    const refused = await service.call('GET', '/api/v1/admin/audits/checkpoint');
    expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state']);
    const { body: metrics } = await service.call('GET', '/metrics');
    // When the service looks for itself meanwhile, tenants' logs are refused with it.
    expect(metrics).toMatch(/^portcullis_audit_refused_chains [1-9]/m);
    await run([`update audit_heads set sequence = sequence + 3 where chain = 'global'`]);
    expect((await service.call('GET', '/api/v1/admin/audits/checkpoint')).status).toBe(200);
  });
});
