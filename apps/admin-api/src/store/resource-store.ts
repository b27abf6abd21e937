import type { Transaction } from 'kysely';
import type { Executor } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { BulkRecords } from './bulk-records.ts';

/** A stored record of any family: its own fields, and what the store keeps about it. */
export interface StoredRecord {
  readonly tenantId: string;
  readonly family: string;
  readonly id: string;
  readonly gatewayId: string | null;
  readonly name: string | null;
  readonly enabled: boolean;
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Fields of the family without secrets. */
  readonly body: Readonly<Record<string, unknown>>;
  /** JSON Pointer → sealed value. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The tenant's revision with which the record last changed; 0 where nobody asks (records of the system). */
  readonly tenantRevision: number;
}

/** A value that must be unique; see the `resource_keys` table. */
export interface UniqueKeyValue {
  readonly keyName: string;
  readonly scope: string;
  readonly value: string;
}

/** One record's pointer to another of the same tenant. */
export interface ReferenceValue {
  readonly field: string;
  readonly targetFamily: string;
  readonly targetId: string;
}

/** A record with the keys and references that go into the database with it. */
export interface RecordToWrite {
  readonly record: StoredRecord;
  readonly keys: readonly UniqueKeyValue[];
  readonly references: readonly ReferenceValue[];
}

/** A record as it shall be, and the revision that it must have now. */
export interface RecordUpdate {
  readonly item: RecordToWrite;
  readonly expectedRevision: number;
}

/** Why a write was not done. Nothing of it is left behind. */
export type WriteConflict =
  | { readonly kind: 'id_exists' }
  | { readonly kind: 'key_exists'; readonly keyName: string }
  | {
      readonly kind: 'reference_missing';
      readonly field: string;
      readonly targetFamily: string;
      readonly targetId: string;
    }
  | { readonly kind: 'stale'; readonly currentRevision: number | undefined }
  | { readonly kind: 'referenced'; readonly by: readonly { readonly family: string; readonly id: string }[] };

/** The outcome of a write. */
export type WriteResult = { readonly ok: true } | { readonly ok: false; readonly conflict: WriteConflict };

/** The outcome of writing many records. `index` is the position of the first one that could not be written. */
export type BulkWriteResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly index: number; readonly conflict: WriteConflict };

/** The records that a caller may see: some by ID, and those whose field has a value. */
export interface Visibility {
  readonly ids: readonly string[];
  readonly orField?: { readonly field: string; readonly value: string };
}

/** Which records a list shows, and in which order. */
export interface RecordFilter {
  readonly tenantId: string;
  readonly family: string;
  readonly gatewayId?: string;
  readonly name?: string;
  readonly enabled?: boolean;
  /** All must match. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Records that refer to these targets through these fields. */
  readonly references?: readonly { readonly field: string; readonly targetId: string }[];
  /** Text fields of the body that must have these values. The names come from the catalogue, never from a caller. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly visibility?: Visibility;
  readonly sort?: 'created_at' | 'updated_at' | 'name' | 'id';
  readonly order?: 'asc' | 'desc';
  readonly skip: number;
  readonly limit: number;
}

/** Reads and writes records of all families. Every method needs the tenant: there is no way to ask without one. */
export interface ResourceStore {
  get(executor: Executor, tenantId: string, family: string, id: string): Promise<StoredRecord | undefined>;
  /** Several records at once; unknown IDs are left out. Order is not kept. Any number of IDs. */
  getMany(executor: Executor, tenantId: string, family: string, ids: readonly string[]): Promise<StoredRecord[]>;
  /** The record that holds a unique value, if any tenant has one (used for names, usernames and token IDs). */
  findByKey(executor: Executor, family: string, key: UniqueKeyValue): Promise<StoredRecord | undefined>;
  /**
   * What a text may mean that is an ID or a unique value of the same tenant, in one statement: the record with the ID and
   * the holder of the key, which may be the same. At most two.
   */
  findByIdOrKey(
    executor: Executor,
    tenantId: string,
    family: string,
    id: string,
    key: UniqueKeyValue,
  ): Promise<StoredRecord[]>;
  /** The records that hold some values of one unique key, by value; values that nobody holds are left out. Any number. */
  findManyByKey(
    executor: Executor,
    family: string,
    key: Omit<UniqueKeyValue, 'value'>,
    values: readonly string[],
  ): Promise<ReadonlyMap<string, StoredRecord>>;
  list(executor: Executor, filter: RecordFilter): Promise<{ items: StoredRecord[]; total: number }>;
  /** All records of a family, of one gateway if named, in order of creation, in pages so that memory stays bounded. */
  scan(
    executor: Executor,
    tenantId: string,
    family: string,
    gatewayId?: string,
  ): AsyncIterable<readonly StoredRecord[]>;
  insert(transaction: Transaction<Tables>, item: RecordToWrite): Promise<WriteResult>;
  /**
   * Inserts many records, all or none, in few statements. They may refer to each other in any order. For bundles; on
   * either database some thousands take a second or two.
   */
  insertMany(transaction: Transaction<Tables>, items: readonly RecordToWrite[]): Promise<BulkWriteResult>;
  /**
   * Inserts new records that were written down before by `bulkRecords`. The caller knows, by the tenant's revision whose lock it
   * holds, that no record has these IDs and that all targets are there; a mistake is then an error of the database. Unique
   * values may be another tenant's: on such a conflict the transaction is to be given up.
   */
  insertPrepared(transaction: Transaction<Tables>, prepared: BulkRecords): Promise<BulkWriteResult>;
  /** Replaces body, secrets, keys and references when the stored revision is `expectedRevision`. */
  update(transaction: Transaction<Tables>, item: RecordToWrite, expectedRevision: number): Promise<WriteResult>;
  /**
   * Replaces many records of one family and tenant, each as `update` does, in few statements. Unique values that some give
   * up are free for the others. On a conflict the transaction is to be given up: part of it may be written.
   */
  updateMany(transaction: Transaction<Tables>, updates: readonly RecordUpdate[]): Promise<BulkWriteResult>;
  /** Removes a record unless others refer to it. One that does not exist is `stale` without a current revision. */
  remove(transaction: Transaction<Tables>, tenantId: string, family: string, id: string): Promise<WriteResult>;
  /** Removes records of one family, all or none, in few statements, unless others than these refer to one of them. */
  removeMany(
    transaction: Transaction<Tables>,
    tenantId: string,
    family: string,
    ids: readonly string[],
  ): Promise<WriteResult>;
  /** Who refers to some records, at most `limit`. At most as many IDs as one statement takes, `ROWS_PER_STATEMENT`. */
  referrersOfMany(
    executor: Executor,
    tenantId: string,
    family: string,
    ids: readonly string[],
    limit: number,
  ): Promise<{ family: string; id: string; field: string; targetId: string }[]>;
  /** Who refers to a record, at most `limit` after the first `skip` (default 0), in the order of family, ID and field. */
  referrers(
    executor: Executor,
    tenantId: string,
    family: string,
    id: string,
    limit: number,
    skip?: number,
  ): Promise<{ family: string; id: string; field: string }[]>;
  /** How many references lead to a record. */
  countReferrers(executor: Executor, tenantId: string, family: string, id: string): Promise<number>;
}
