import { bundleFamilies } from '@portcullis/resources';
import type { StoredRecord } from '../store/resource-store.ts';

/** The field of each family by whose value references may name its records. */
const nameFieldOf: ReadonlyMap<string, string | undefined> = new Map(
  bundleFamilies.map(({ name, keys }) => [name, keys.find((key) => key.addressable === true)?.fields[0]]),
);

/** Families that others of a bundle refer to: of the rest no names are wanted. */
const targets: ReadonlySet<string> = new Set([
  'gateways',
  ...bundleFamilies.flatMap((one) => one.references.map(({ family }) => family)),
]);

/** The names of records that others refer to, and which of them cannot be referred to by name. Filled family by family. */
export class ExportedNames {
  readonly #names = new Map<string, Map<string, string | undefined>>();
  readonly #keptIds = new Set<string>();

  /** Notes a record, before those that refer to it. */
  add({ family, id, body }: StoredRecord): void {
    const field = nameFieldOf.get(family);
    if (field === undefined || !targets.has(family)) return;
    const name = body[field];
    const ofFamily = this.#names.get(family) ?? new Map<string, string | undefined>();
    this.#names.set(family, ofFamily.set(id, typeof name === 'string' ? name : undefined));
  }

  /** Whether records of the family are part of bundles. */
  holds(family: string): boolean {
    return nameFieldOf.has(family);
  }

  nameOf(family: string, id: string): string | undefined {
    return this.#names.get(family)?.get(id);
  }

  /** An entry of a list of references: there an ID wins over a name, so a name that reads like an ID cannot be used. */
  inList(family: string, id: string): string {
    const name = this.nameOf(family, id);
    if (name !== undefined && this.#names.get(family)?.has(name) !== true) return name;
    this.keepId(family, id);
    return id;
  }

  /** Notes that a record is referred to by its ID, so that it has to be exported with it. */
  keepId(family: string, id: string): void {
    this.#keptIds.add(`${family}/${id}`);
  }

  keepsId(family: string, id: string): boolean {
    return this.#keptIds.has(`${family}/${id}`);
  }
}
