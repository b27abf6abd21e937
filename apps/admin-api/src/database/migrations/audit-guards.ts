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
  {
    name: 'audit_checkpoints_fixed',
    table: 'audit_checkpoints',
    event: 'update',
    message: 'an audit checkpoint does not change',
  },
  {
    name: 'audit_retention_forward',
    table: 'audit_retention',
    event: 'update',
    when: 'new.chain <> old.chain or new.pruned_through <= old.pruned_through',
    message: 'where an audit log was cut only moves forward',
  },
];

const keyUpdates: readonly Guard[] = [
  {
    name: 'audit_keys_fixed',
    table: 'audit_keys',
    event: 'update',
    // A key that signed before is taken up again with a new date and a new note of the key before it.
    when: `new.key_id <> old.key_id or new.name <> old.name or new.verifier_key <> old.verifier_key
      or new.since <= old.since or coalesce(new.sealed_seed, '') <> coalesce(old.sealed_seed, '')`,
    message: 'an audit key does not change',
  },
];

/** The guard of keys since their seeds can be sealed again: only that, or a later date, is no change of the key. */
const sealedKeyUpdate: Guard = {
  name: 'audit_keys_fixed',
  table: 'audit_keys',
  event: 'update',
  when: `new.key_id <> old.key_id or new.name <> old.name or new.verifier_key <> old.verifier_key
      or new.since < old.since or (new.sealed_seed is null) <> (old.sealed_seed is null)
      or (new.since = old.since and (coalesce(new.signed_change, '') <> coalesce(old.signed_change, '')
        or coalesce(new.sealed_seed, '') = coalesce(old.sealed_seed, '')))`,
  message: 'an audit key does not change',
};

/** Tables of which no row is ever deleted, and what is said then. */
const kept: readonly (readonly [table: string, message: string])[] = [
  ['audit_heads', 'the head of an audit chain is not deleted'],
  ['audit_checkpoints', 'an audit checkpoint is not deleted'],
  ['audit_retention', 'where an audit log was cut is not forgotten'],
];
const keptKeys: typeof kept = [['audit_keys', 'an audit key is not deleted']];

/** Whether retention has said that a record is cut off. Trees and chains keep what later proofs need of it. */
const isPruned = `exists (
  select 1 from audit_retention where chain = 'global' and pruned_through >= old.global_sequence
)`;

/** Whether nothing is cut off that was not signed. */
const isSigned = `new.pruned_through <= coalesce((
  select max(size) from audit_checkpoints where chain = new.chain
), 0)`;
const unsignedMessage = 'an audit log is cut up to what was signed only';

/**
 * Statements that make the database refuse what nobody but an attacker does to audit records: a second net under the chain,
 * which whoever owns the database can cut and the chain then shows. They look at the columns that a statement names, so that
 * chaining pays for one comparison only.
 */
export function auditGuards(traits: DialectTraits): readonly string[] {
  return traits.triggers === 'inline' ? inlineGuards() : functionGuards();
}

/** The same for the table of keys, which comes with a later step. */
export function keyGuards(traits: DialectTraits): readonly string[] {
  const isInline = traits.triggers === 'inline';
  return isInline
    ? [...keyUpdates.map(inlineUpdate), ...keptKeys.map(inlineKeeper)]
    : [...keyUpdates.map(functionUpdate), ...keptKeys.flatMap(functionKeepers)];
}

/** Puts the guard of keys whose seeds can be sealed again in the place of the first one. */
export function sealedKeyGuards(traits: DialectTraits): readonly string[] {
  const { name, table } = sealedKeyUpdate;
  return traits.triggers === 'inline'
    ? [`drop trigger ${name}`, inlineUpdate(sealedKeyUpdate)]
    : [`drop trigger ${name} on ${table}`, functionUpdate(sealedKeyUpdate)];
}

const abort = (message: string): string => `begin select raise(abort, '${message}'); end`;
const refuse = (message: string): string => `execute function audit_refusal('${message}')`;

function inlineUpdate({ name, table, event, when, message }: Guard): string {
  return `create trigger ${name} before ${event} on ${table} when ${when ?? '1'} ${abort(message)}`;
}

function inlineKeeper([table, message]: (typeof kept)[number]): string {
  return `create trigger ${table}_kept before delete on ${table} ${abort(message)}`;
}

function inlineGuards(): readonly string[] {
  return [
    ...updates.map(inlineUpdate),
    ...kept.map(inlineKeeper),
    `create trigger audit_records_kept before delete on audit_records when not ${isPruned}
      ${abort('an audit record is deleted by retention only')}`,
    ...['insert', 'update'].map(
      (event) =>
        `create trigger audit_retention_signed_${event} before ${event} on audit_retention when not (${isSigned})
          ${abort(unsignedMessage)}`,
    ),
  ];
}

/** After the row, which undoes it just as well: before it, the server would lock each row a second time. */
function functionUpdate({ name, table, event, when, message }: Guard): string {
  return `create trigger ${name} after ${event} on ${table} for each row when (${when ?? 'true'}) ${refuse(message)}`;
}

function functionKeepers([table, message]: (typeof kept)[number]): readonly string[] {
  return [
    `create trigger ${table}_kept before delete on ${table} for each row ${refuse(message)}`,
    `create trigger ${table}_emptied before truncate on ${table} for each statement ${refuse(message)}`,
  ];
}

function functionGuards(): readonly string[] {
  const refusal = `create function audit_refusal() returns trigger language plpgsql as $$
    begin raise exception '%', tg_argv[0] using errcode = 'integrity_constraint_violation'; end $$`;
  // A condition of a trigger cannot look into another table there.
  const functionOf = (name: string, condition: string, row: 'old' | 'new', message: string): string =>
    `create function ${name}() returns trigger language plpgsql as $$
    begin
      if ${condition} then return ${row}; end if;
      raise exception '${message}' using errcode = 'integrity_constraint_violation';
    end $$`;
  return [
    refusal,
    functionOf('audit_record_kept', isPruned, 'old', 'an audit record is deleted by retention only'),
    functionOf('audit_cut_signed', isSigned, 'new', unsignedMessage),
    ...updates.map(functionUpdate),
    ...kept.flatMap(functionKeepers),
    `create trigger audit_records_kept before delete on audit_records
      for each row execute function audit_record_kept()`,
    `create trigger audit_records_emptied before truncate on audit_records
      for each statement ${refuse('audit records are not truncated')}`,
    `create trigger audit_retention_signed after insert or update on audit_retention
      for each row execute function audit_cut_signed()`,
  ];
}
