import type * as v from 'valibot';

/** The entries of an object schema. */
export type FieldEntries = Readonly<Record<string, v.GenericSchema>>;

/** A mistake that concerns several fields of a record. */
export interface RuleViolation {
  /** JSON Pointer into the record. */
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** A rule over a whole record whose fields are each valid. Rules collect; they do not stop at the first mistake. */
export type FamilyRule = (record: Readonly<Record<string, unknown>>) => readonly RuleViolation[];

/** A field that points to another record of the same tenant, or to several. */
export interface FamilyReference {
  readonly field: string;
  /**
   * Whether the field is a list. Each entry is an ID or, where the family has an addressable key, a name; IDs are stored, in
   * the order given.
   */
  readonly many?: true;
  /** The family that is pointed to. */
  readonly family: string;
  /** A field that may give the target's name instead of its ID. Accepted on writes, never stored. */
  readonly nameField?: string;
  /** Whether the name is unique per gateway, so that the record's own gateway decides which one is meant. */
  readonly nameScope: 'tenant' | 'gateway';
  /**
   * What happens to this record when the target is deleted: it stops the deletion, it goes along, or it lets go of the target
   * (the entry leaves the list; only for lists).
   */
  readonly whenTargetIsDeleted: 'restrict' | 'cascade' | 'release';
}

/** A value that no two records of the family share within a scope. */
export interface FamilyKey {
  readonly name: string;
  /** Fields whose values make the key, in order. A record without a value in any of them has no such key. */
  readonly fields: readonly string[];
  /** The field that callers send, where `fields` only follow from it: what a refusal points to. */
  readonly from?: string;
  /** `everywhere`, within the tenant, within the gateway, or within the record that a reference field names. */
  readonly scope: 'everywhere' | 'tenant' | 'gateway' | { readonly field: string };
  /** Whether detail paths accept the value in place of the ID. */
  readonly addressable?: boolean;
}

/** Where a family's records live besides their own path. Source: spec, Nested compatibility aliases. */
export interface NestedPath {
  /** Template relative to the prefix, for instance `/gateways/{gateway_id}/upstreams/{upstream_id}/targets`. */
  readonly path: string;
  /** The reference field that the last path parameter fills, and that parameter's name. */
  readonly field: string;
  readonly parameter: string;
}

/** The record below whose path all records of a family are found, and nowhere else. */
export interface ParentPath {
  /** The reference field that the path fills. It cannot change. */
  readonly field: string;
  /** The path parameter, an ID or a name. */
  readonly parameter: string;
}

/** Fields that hold whole documents of somebody else's format. */
export interface DocumentFields {
  /**
   * Each is sent as an object or as its text. It is kept apart from the record: lists leave it out, the audit log and snapshots know it by its
   * digest, and a change takes another one's place as a whole.
   */
  readonly fields: readonly string[];
  /** Largest body of a write, in bytes. */
  readonly bytesMax: number;
}

/** Who may do what with a family's records. */
export interface FamilyAccess {
  readonly read: 'read' | 'administer' | 'super_admin';
  readonly write: 'write' | 'administer' | 'super_admin';
  /** Who may delete, when that is not who may write. */
  readonly delete?: 'super_admin';
}

/** A resource family, declared once. Tables' access, paths, API description, bundle, CLI and audit are derived from it. */
export interface Family {
  /** Plural in kebab-case: path segment, store key, entity of the command line. */
  readonly name: string;
  /** Singular in snake_case: entity type of audit records. */
  readonly singular: string;
  /** One sentence for the API description. */
  readonly summary: string;
  /** Whose the records are: the system's, a tenant's, or a gateway's of a tenant. */
  readonly scope: 'system' | 'tenant' | 'gateway';
  /** Whether a super administrator may keep records outside every tenant (users, tokens). */
  readonly tenantOptional?: boolean;
  readonly access: FamilyAccess;
  /** Fields that a caller may send, `tenant_id`, `id` and the parent's ID aside. */
  readonly fields: FieldEntries;
  /** Fields that only the server sets and that reads show. Not stored by callers. */
  readonly readOnlyFields: FieldEntries;
  /** Other names that writes accept for a field: alias → field. */
  readonly fieldAliases?: Readonly<Record<string, string>>;
  readonly rules?: readonly FamilyRule[];
  readonly references: readonly FamilyReference[];
  readonly keys: readonly FamilyKey[];
  readonly nestedPaths?: readonly NestedPath[];
  /** Where records are found that have no path without their parent. `collectionPaths` has the parameter then. */
  readonly parent?: ParentPath;
  /** The path parameter that names one record, when it is not the singular and `_id`. */
  readonly parameter?: string;
  readonly documents?: DocumentFields;
  /** The paths of the collection when they are not `/admin` + scope + name. */
  readonly collectionPaths?: readonly string[];
  /** Text fields of a record that lists can be filtered by, beside the parents' IDs. */
  readonly filters?: readonly string[];
  /**
   * What a regular administrator gets who lists another tenant's records: a refusal, or its own records all the same.
   * Source: spec, Tenants, workspaces, RBAC.
   */
  readonly foreignLists?: 'own';
  /** How records may be written. Source: wire contract, small rules; decisions, 8. */
  readonly methods: readonly ('POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** The array of a configuration bundle that holds the family, and the order in which levels are created. */
  readonly bundle?: {
    readonly key: string;
    readonly level: number;
    /** List fields whose order means nothing when a bundle is compared. */
    readonly sets?: readonly string[];
    /** Fields by which records without a natural key are paired with live ones. */
    readonly matchBy?: readonly string[];
  };
  /** `false` for records that the command line does not administer. */
  readonly isEntity?: false;
  /** Whether gateways get the records with their configuration. */
  readonly deliveredToGateways: boolean;
}
