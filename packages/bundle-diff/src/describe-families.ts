import type {
  BundleDescriptor,
  CheckedRecord,
  CollectionDescriptor,
  NaturalKey,
  ReferenceDescriptor,
} from './descriptor.ts';
import type { BundleRecord } from './json-values.ts';

/** What a declaration of a kind of record must say so that a descriptor can be derived from it. */
export interface FamilyDeclaration {
  readonly name: string;
  /** `gateway`: its records lie in a gateway, which `FamilyPorts.parent` describes. */
  readonly scope: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly readOnlyFields: Readonly<Record<string, unknown>>;
  readonly fieldAliases?: Readonly<Record<string, string>>;
  readonly references: readonly {
    readonly field: string;
    /** See `ReferenceDescriptor.many`. */
    readonly many?: true;
    readonly family: string;
    readonly nameField?: string;
    readonly nameScope: 'tenant' | 'gateway';
  }[];
  readonly keys: readonly {
    readonly fields: readonly string[];
    readonly scope: 'everywhere' | 'tenant' | 'gateway' | { readonly field: string };
    readonly addressable?: boolean;
  }[];
  readonly bundle: {
    readonly key: string;
    readonly level: number;
    /** See `CollectionDescriptor.matchBy`. Default: `name`, what the record lies in, and the fields that refer to one record. */
    readonly matchBy?: readonly string[];
    /** See `CollectionDescriptor.sets`. Default: none. */
    readonly sets?: readonly string[];
  };
}

/** What a declaration does not say by itself. */
export interface FamilyPorts<F extends FamilyDeclaration> {
  /** The family that records of scope `gateway` lie in, and the fields that say in which. */
  readonly parent: { readonly family: string; readonly field: string; readonly nameField: string };
  readonly check: (family: F, record: BundleRecord) => CheckedRecord;
  readonly isRequired: (family: F, field: string) => boolean;
  readonly immutable: (family: F) => readonly string[];
  readonly writeOnly: (family: F) => readonly string[];
  /** See `CollectionDescriptor.defaults`. Default: none. */
  readonly defaults?: (family: F) => BundleRecord;
  /** See `CollectionDescriptor.requiredWhenNew`. Default: none. */
  readonly requiredWhenNew?: (family: F, record: BundleRecord) => readonly string[];
  readonly secretsOf?: (family: F, record: BundleRecord) => readonly string[];
  readonly isSameSecret?: (family: F, live: BundleRecord, desired: BundleRecord, pointer: string) => boolean;
  readonly completeLive?: (family: F, record: BundleRecord) => BundleRecord;
}

const storeFields = ['created_at', 'updated_at', 'revision'];

/**
 * Derives the descriptor of a bundle from the declarations of its families, so that nothing is said twice. References to
 * families that are not among them are left to whoever stores the records.
 * @param families ordered so that references point backwards
 */
export function describeFamilies<F extends FamilyDeclaration>(
  families: readonly F[],
  ports: FamilyPorts<F>,
): BundleDescriptor {
  const keys = new Map(families.map((family) => [family.name, family.bundle.key]));
  return { collections: families.map((family) => describe(family, keys, ports)) };
}

function describe<F extends FamilyDeclaration>(
  family: F,
  keys: ReadonlyMap<string, string>,
  ports: FamilyPorts<F>,
): CollectionDescriptor {
  const declared = new Set([...Object.keys(family.fields), ports.parent.field]);
  const stored = family.keys.filter((key) => key.fields.every((field) => declared.has(field)));
  const hidden = family.keys.flatMap((key) => key.fields).filter((field) => !declared.has(field));
  const { completeLive, defaults, requiredWhenNew, secretsOf, isSameSecret } = ports;
  return {
    key: family.bundle.key,
    level: family.bundle.level,
    references: referencesOf(family, keys, ports),
    keys: stored.map((key) => naturalKey(key, ports.parent.field)),
    matchBy: family.bundle.matchBy ?? standardMatch(family, ports.parent.field),
    aliases: family.fieldAliases ?? {},
    sets: family.bundle.sets ?? [],
    serverFields: [...storeFields, ...Object.keys(family.readOnlyFields), ...hidden],
    keptWhenAbsent: ports.writeOnly(family),
    // A record stays in what it lies in: everything that refers to it there would break.
    immutable: [...ports.immutable(family), ...(family.scope === 'gateway' ? [ports.parent.field] : [])],
    check: (record) => ports.check(family, record),
    ownNameFields: family.scope === 'gateway' ? [ports.parent.nameField] : [],
    ...(requiredWhenNew ? { requiredWhenNew: (record) => requiredWhenNew(family, record) } : {}),
    ...(defaults ? { defaults: defaults(family) } : {}),
    ...(completeLive ? { completeLive: (record) => completeLive(family, record) } : {}),
    ...(secretsOf ? { secretsOf: (record) => secretsOf(family, record) } : {}),
    ...(isSameSecret ? { isSameSecret: (live, desired, pointer) => isSameSecret(family, live, desired, pointer) } : {}),
  };
}

function standardMatch(family: FamilyDeclaration, parentField: string): string[] {
  const single = family.references.filter(({ many }) => !many).map(({ field }) => field);
  return ['name', ...(family.scope === 'gateway' ? [parentField] : []), ...single];
}

function naturalKey(key: FamilyDeclaration['keys'][number], parentField: string): NaturalKey {
  const { fields, scope } = key;
  const within = typeof scope === 'object' ? scope.field : scope === 'gateway' ? parentField : undefined;
  return {
    fields,
    ...(within === undefined ? {} : { within }),
    ...(key.addressable === undefined ? {} : { addressable: key.addressable }),
  };
}

function referencesOf<F extends FamilyDeclaration>(
  family: F,
  keys: ReadonlyMap<string, string>,
  ports: FamilyPorts<F>,
): ReferenceDescriptor[] {
  const { parent } = ports;
  const parentKey = family.scope === 'gateway' ? keys.get(parent.family) : undefined;
  const own: ReferenceDescriptor[] =
    parentKey === undefined
      ? []
      : [{ field: parent.field, nameField: parent.nameField, collection: parentKey, required: true, strict: false }];
  const declared = family.references.flatMap(({ field, many, family: target, nameField, nameScope }) => {
    const collection = keys.get(target);
    if (collection === undefined) return [];
    const isNear = nameScope === 'gateway';
    const reference: ReferenceDescriptor = {
      field,
      collection,
      ...(many ? { many } : {}),
      ...(nameField === undefined ? {} : { nameField }),
      ...(isNear ? { within: parent.field } : {}),
      required: ports.isRequired(family, field),
      // Source: spec, `validate --strict`: routes to services, routes and services to upstreams.
      strict: isNear,
    };
    return [reference];
  });
  return [...own, ...declared.filter(({ within }) => !within), ...declared.filter(({ within }) => within)];
}
