import type { PackedFields } from '../http/packed-fields.ts';
import type { FieldProblem } from '../http/problem.ts';
import type { Transaction } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { Principal } from '../identity/principal.ts';
import type { StoredRecord, Visibility } from '../store/resource-store.ts';
import type { AsideWork } from './aside-work.ts';
import type { SecretDestinations } from './kept-secrets.ts';
import type { Values } from './values.ts';

/** A validated record on its way into the store. */
export interface PrepareInput {
  readonly executor: Executor;
  readonly principal: Principal;
  /** Empty for records of the system. */
  readonly tenantId: string;
  readonly gatewayId: string | null;
  readonly id: string;
  /** Validated, with defaults; references hold IDs. */
  readonly values: Values;
  /** The record as it stands, when this is an update. */
  readonly stored: StoredRecord | undefined;
  /** What `anticipate` made of the sent fields; empty where it was not asked. */
  readonly anticipated: Values;
  /** The tenant's revision that the write makes. */
  readonly revision: number;
  /** The mask of a secret of the record's tenant. */
  readonly maskOf: (secret: string) => string;
}

/**
 * Writes of other records that belong to a write: in its session, so audited, counted and undone with it. They are checked
 * like any other write.
 */
export interface SessionRecords {
  /** All records of a family that refer to a target through a field. @throws Problem `referenced_by_others` for too many */
  referring(family: string, field: string, targetId: string): Promise<readonly StoredRecord[]>;
  /** @throws Problem, as a caller's own write would be refused */
  create(family: string, gatewayId: string | null, values: Values): Promise<StoredRecord>;
  /** Replaces the fields of a record by the given ones. @throws Problem */
  replace(stored: StoredRecord, values: Values): Promise<StoredRecord>;
  /** Removes records of one family, in few statements. @throws Problem */
  remove(family: string, stored: readonly StoredRecord[]): Promise<void>;
}

/** What a behaviour makes of a record. */
export type Prepared =
  | {
      readonly ok: true;
      /** What is stored: the values, with derived and hidden fields added and write-only ones taken out. */
      readonly body: Values;
      /** Shown in the answer to this write and never again. */
      readonly reveal?: Values;
      /** What else has to be written, once the record is (also when nothing about the record itself changed). */
      readonly effect?: (records: SessionRecords, written: StoredRecord) => Promise<void>;
    }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** A record that was written, in the transaction that is still open. */
export interface WrittenChange {
  readonly transaction: Transaction<Tables>;
  /** Who writes. */
  readonly principal: Principal;
  /** The tenant's revision that the write makes. */
  readonly revision: number;
  /** The record as it was; nothing when it is new. */
  readonly before: StoredRecord | undefined;
  /** The record as it is now; nothing when it was deleted. */
  readonly after: StoredRecord | undefined;
  /** Notes that the configuration of a gateway moves with the record; an empty ID stands for all of the tenant's. */
  readonly moveGateway: (gatewayId: string) => void;
}

/**
 * What is special about one family, beside the generic engine. Every part is optional; the engine knows none by name.
 */
export interface FamilyBehaviour {
  /** Gives the ID of a new record when the family does not use random ones. */
  readonly identify?: (values: Values) => string | undefined;
  /**
   * The behaviour for one record where what is right depends on other records of its tenant (plugin packages): it takes the
   * place of this one for the write. The sent fields are not checked yet. `undefined` where nothing is different.
   * @param aside where checks go that take too long for the write's transaction
   */
  readonly forRecord?: (
    executor: Executor,
    tenantId: string,
    sent: Values,
    aside: AsideWork,
  ) => Promise<FamilyBehaviour | undefined>;
  /**
   * Sent fields that may be written in several forms, in the one in which they are kept. Before anything else is done with them:
   * they are not checked, and may hold masks. Pure.
   */
  readonly canonical?: (sent: Values) => Values;
  /** Fields that follow from others, filled in before keys and references are taken. Pure. */
  readonly derive?: (values: Values, before: Values | undefined) => Values;
  /** What is wrong beyond the schema, as far as the record alone shows it. Pure; pointers are into the record. */
  readonly check?: (values: Values) => readonly FieldProblem[];
  /**
   * Slow work on the sent fields (hashing), done before the write's transaction opens, so that nobody waits for it. The
   * fields are not checked yet: work only on what is fit, and leave it to `prepare` to refuse the rest.
   */
  readonly anticipate?: (sent: Values, tenantId: string) => Promise<Values>;
  /** Checks what needs more than the record and makes what is stored. Runs inside the write's transaction. */
  readonly prepare?: (input: PrepareInput) => Promise<Prepared>;
  /**
   * Does what has to happen with a write, or refuses it: runs in the same transaction, after the record was created,
   * changed or deleted. @throws Problem, and nothing of the write remains
   */
  readonly afterWrite?: (change: WrittenChange) => Promise<void>;
  /**
   * Write-only fields that `prepare` makes up for a new record that lacks them, and shows once. A bundle must bring them,
   * because a sync shows no secret. Pure.
   */
  readonly madeUp?: (values: Values) => readonly string[];
  /** Fields that stay as they are where a write leaves them out, because they may have been made here. */
  readonly keptFields?: readonly string[];
  /** Secrets that are kept as a hash only: by pointer, the hidden field with the hash. A mask in their place keeps it. */
  readonly hashedSecrets?: Readonly<Record<string, string>>;
  /**
   * Whether a plain secret is the one of a stored record that keeps a hash of it only. Pure.
   * @param mask the secret's mask, once it is known
   */
  readonly isSameSecret?: (stored: Values, pointer: string, secret: string, mask: string | undefined) => boolean;
  /**
   * Whether gateways take `vault://` and `env://` references in the secret fields of these records. A well-formed one is no secret: it is
   * shown, exported and compared as it is. Default: all that stands in a secret field is one.
   */
  readonly takesReferences?: boolean;
  /** JSON Pointers of the secret strings inside a record's values, beside the fields that the schema marks. */
  readonly secretPointers?: (values: Values) => readonly string[];
  /**
   * Where the secrets of a record are sent, by their pointers: any JSON, of which only changes count. A mask keeps a secret while it stays
   * the same. Absent where secrets are sent nowhere. Pure.
   */
  readonly secretDestinations?: SecretDestinations;
  /**
   * Read-only fields that are not stored with the record, by record ID.
   * @param isList whether the records are a page of many: what is long may be left out
   */
  readonly liveFields?: (
    executor: Executor,
    tenantId: string,
    records: readonly StoredRecord[],
    isList: boolean,
  ) => Promise<ReadonlyMap<string, Values>>;
  /** The documents of a record, packed, by field: kept apart from it, and shown where it is shown by itself. */
  readonly documents?: (executor: Executor, record: StoredRecord) => Promise<PackedFields | undefined>;
  /** Limits which records a caller sees; `undefined` for all of the tenant. */
  readonly visibility?: (executor: Executor, principal: Principal) => Promise<Visibility | undefined>;
  /** Records that exist for every tenant without being stored. A stored record of the same name replaces one. */
  readonly builtIn?: (tenantId: string) => readonly StoredRecord[];
}
