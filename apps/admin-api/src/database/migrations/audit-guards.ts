import type { DialectTraits } from '../dialect-traits.ts';

/** What a record is: nothing of it ever changes. */
const fixedColumns = [
  'id',
  'tenant_id',
  'actor_id',
  'actor_username',
  'action',
  'entity_type',
  'entity_id',
  'request_id',
  'source_ip',
  'occurred_at',
  'schema_version',
  'canonical',
  'content_hash',
].join(', ');
/** What the sequencer sets, once. */
const linkColumns = [
  'tenant_sequence',
  'previous_hash',
  'audit_hash',
  'global_sequence',
  'global_previous_hash',
  'global_hash',
].join(', ');

/** One refusal: when it looks, at which rows, and what it says. */
interface Guard {
  readonly name: string;
  readonly table: string;
  readonly event: string;
  /** For rows of which this holds; for all when absent. */
  readonly when?: string;
  readonly message: string;
}

const updates: readonly Guard[] = [
  {
    name: 'audit_records_fixed',
    table: 'audit_records',
    event: `update of ${fixedColumns}`,
    // Columns that a redaction empties along with the disclosures, and nothing else does.
    when: `new.id <> old.id or new.tenant_id <> old.tenant_id or new.actor_id <> old.actor_id
      or new.action <> old.action or new.entity_type <> old.entity_type or new.entity_id <> old.entity_id
      or new.request_id <> old.request_id or new.occurred_at <> old.occurred_at
      or new.schema_version <> old.schema_version or new.canonical <> old.canonical
      or new.content_hash <> old.content_hash
      or (new.actor_username <> old.actor_username and new.actor_username <> '')
      or (new.source_ip <> old.source_ip and new.source_ip <> '')`,
    message: 'an audit record does not change',
  },
  {
    name: 'audit_records_linked',
    table: 'audit_records',
    event: `update of ${linkColumns}`,
    when: 'old.global_sequence is not null or old.tenant_sequence is not null',
    message: 'an audit record is chained once',
  },
  {
    name: 'audit_records_disclosed',
    table: 'audit_records',
    event: 'update of disclosures',
    when: `new.disclosures is not null
      and (old.disclosures is null or length(new.disclosures) > length(old.disclosures))`,
    message: 'what an audit record discloses can only be taken away',
  },
  {
    name: 'audit_heads_forward',
    table: 'audit_heads',
    event: 'update',
    when: 'new.chain <> old.chain or new.sequence <= old.sequence',
    message: 'the head of an audit chain only moves forward',
  },
];

/** Whether retention has said that a record is cut off. Trees and chains keep what later proofs need of it. */
const isPruned = `exists (
  select 1 from audit_retention where chain = 'global' and pruned_through >= old.global_sequence
)`;

/**
 * Statements that make the database refuse what nobody but an attacker does to audit records: a second net under the chain,
 * which whoever owns the database can cut and the chain then shows. They look at the columns that a statement names, so that
 * chaining pays for one comparison only.
 */
export function auditGuards(traits: DialectTraits): readonly string[] {
  return traits.triggers === 'inline' ? inlineGuards() : functionGuards();
}

function inlineGuards(): readonly string[] {
  const refusal = (message: string): string => `begin select raise(abort, '${message}'); end`;
  return [
    ...updates.map(
      ({ name, table, event, when, message }) =>
        `create trigger ${name} before ${event} on ${table} when ${when ?? '1'} ${refusal(message)}`,
    ),
    `create trigger audit_records_kept before delete on audit_records when not ${isPruned}
      ${refusal('an audit record is deleted by retention only')}`,
    `create trigger audit_heads_kept before delete on audit_heads
      ${refusal('the head of an audit chain is not deleted')}`,
  ];
}

function functionGuards(): readonly string[] {
  const refusal = `create function audit_refusal() returns trigger language plpgsql as $$
    begin raise exception '%', tg_argv[0] using errcode = 'integrity_constraint_violation'; end $$`;
  // A condition of a trigger cannot look into another table there.
  const keeper = `create function audit_record_kept() returns trigger language plpgsql as $$
    begin
      if ${isPruned} then return old; end if;
      raise exception 'an audit record is deleted by retention only' using errcode = 'integrity_constraint_violation';
    end $$`;
  const refuse = (message: string): string => `execute function audit_refusal('${message}')`;
  return [
    refusal,
    keeper,
    ...updates.map(
      ({ name, table, event, when, message }) =>
        // After the row, which undoes it just as well: before it, the server would lock each row a second time.
        `create trigger ${name} after ${event} on ${table} for each row when (${when ?? 'true'}) ${refuse(message)}`,
    ),
    `create trigger audit_records_kept before delete on audit_records
      for each row execute function audit_record_kept()`,
    `create trigger audit_records_emptied before truncate on audit_records
      for each statement ${refuse('audit records are not truncated')}`,
    `create trigger audit_heads_kept before delete on audit_heads
      for each row ${refuse('the head of an audit chain is not deleted')}`,
  ];
}
