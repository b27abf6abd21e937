import type { BundleRecord, BundleState, LiveLookUp } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import { ROWS_PER_STATEMENT, chunksOf } from '../database/chunks.ts';
import type { Executor } from '../database/database.ts';
import { keysOf } from '../resources/record-keys.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';

type BundleFamily = (typeof bundleFamilies)[number];
type LookUp<Kind extends LiveLookUp['kind']> = Extract<LiveLookUp, { readonly kind: Kind }>;

/**
 * Records without a natural key that are read to find those that one look-up means. More is dearer than reading the whole
 * live state in pages may be.
 */
const candidatesMax = 1_000;

/** What the store is asked for. */
export type LookUpStore = Pick<ResourceStore, 'getMany' | 'findManyByKey' | 'referrersOfMany' | 'list'>;

/**
 * The part of a tenant's live state that look-ups asked for. Which look-ups those are, and what they lead to, comes from the
 * catalogue and the descriptor made of it. Use one snapshot of the database for all of it.
 */
export class LiveLookUps {
  readonly #store: LookUpStore;
  readonly #executor: Executor;
  readonly #tenantId: string;
  readonly #families: ReadonlyMap<string, BundleFamily>;
  readonly #asked = new Set<string>();
  /** By collection and ID. */
  readonly #records = new Map<string, Map<string, BundleRecord>>();

  constructor(store: LookUpStore, executor: Executor, tenantId: string) {
    this.#store = store;
    this.#executor = executor;
    this.#tenantId = tenantId;
    this.#families = new Map(bundleFamilies.map((family) => [family.bundle.key, family]));
  }

  /** What was found so far. */
  state(): BundleState {
    return Object.fromEntries([...this.#records].map(([key, records]) => [key, [...records.values()]]));
  }

  /** The records of a collection that were found. */
  found(key: string): ReadonlyMap<string, BundleRecord> {
    return this.#records.get(key) ?? new Map();
  }

  /** Reads what some look-ups ask for. @returns whether any of them was new; `too_many` when a look-up means too much */
  async answer(lookUps: readonly LiveLookUp[]): Promise<'nothing_new' | 'answered' | 'too_many'> {
    const fresh = lookUps.filter((lookUp) => this.#isFresh(lookUp));
    if (fresh.length === 0) return 'nothing_new';
    for (const [collection, own] of Map.groupBy(fresh, (lookUp) => lookUp.collection)) {
      const family = this.#families.get(collection);
      if (!family) continue;
      await this.#answerIds(
        family,
        own.filter((one) => one.kind === 'id'),
      );
      await this.#answerKeys(
        family,
        own.filter((one) => one.kind === 'key'),
      );
      if (
        !(await this.#answerUnkeyed(
          family,
          own.filter((one) => one.kind === 'unkeyed'),
        ))
      )
        return 'too_many';
    }
    return 'answered';
  }

  #isFresh(lookUp: LiveLookUp): boolean {
    if (lookUp.kind === 'id' && this.found(lookUp.collection).has(lookUp.id)) return false;
    const text = this.#textOf(lookUp);
    if (this.#asked.has(text)) return false;
    this.#asked.add(text);
    return true;
  }

  #textOf(lookUp: LiveLookUp): string {
    const { kind, collection } = lookUp;
    if (kind === 'id') return JSON.stringify([collection, lookUp.id]);
    const matchBy = this.#families.get(collection)?.bundle.matchBy;
    const fields = kind === 'key' ? [...lookUp.key.fields, lookUp.key.within ?? ''] : matchBy;
    // Without declared fields the record itself says which: a little more is asked then, never less.
    const values = fields?.map((field) => lookUp.values[field] ?? null) ?? lookUp.values;
    return JSON.stringify([collection, kind, kind === 'key' ? lookUp.key.fields : '', values]);
  }

  async #answerIds(family: BundleFamily, lookUps: readonly LookUp<'id'>[]): Promise<void> {
    if (lookUps.length === 0) return;
    const ids = lookUps.map(({ id }) => id);
    this.#keep(family, await this.#store.getMany(this.#executor, this.#tenantId, family.name, ids));
  }

  async #answerKeys(family: BundleFamily, lookUps: readonly LookUp<'key'>[]): Promise<void> {
    const wanted = lookUps.flatMap(({ key, values }) => {
      // The descriptor took the fields of its key from the family's.
      const own = family.keys.filter(({ fields }) => fields === key.fields);
      const gatewayId = typeof values['gateway_id'] === 'string' ? values['gateway_id'] : null;
      return keysOf({ ...family, keys: own }, { tenantId: this.#tenantId, gatewayId }, values);
    });
    const places = Map.groupBy(wanted, ({ keyName, scope }) => JSON.stringify([keyName, scope]));
    for (const [first, ...others] of [...places.values()].filter((list) => list.length > 0)) {
      if (!first) continue;
      const values = [first, ...others].map(({ value }) => value);
      const holders = await this.#store.findManyByKey(this.#executor, family.name, first, values);
      this.#keep(
        family,
        [...holders.values()].filter(({ tenantId }) => tenantId === this.#tenantId),
      );
    }
  }

  /** @returns whether all were found without reading too much */
  async #answerUnkeyed(family: BundleFamily, lookUps: readonly LookUp<'unkeyed'>[]): Promise<boolean> {
    const referring = lookUps.map(({ values }) => ({ values, target: selectiveTarget(family, values) }));
    const byTarget = referring.flatMap(({ target }) => target ?? []);
    for (const [targetFamily, targets] of Map.groupBy(byTarget, (target) => target.family)) {
      const ids = [...new Set(targets.map(({ id }) => id))];
      for (const chunk of chunksOf(ids)) {
        if (!(await this.#keepReferrers(family, targetFamily, chunk))) return false;
      }
    }
    for (const { values } of referring.filter(({ target }) => target === undefined)) {
      if (!(await this.#keepAlike(family, values))) return false;
    }
    return true;
  }

  async #keepReferrers(family: BundleFamily, targetFamily: string, ids: readonly string[]): Promise<boolean> {
    const limit = candidatesMax + ROWS_PER_STATEMENT;
    const referrers = await this.#store.referrersOfMany(this.#executor, this.#tenantId, targetFamily, ids, limit);
    if (referrers.length === limit) return false;
    const own = referrers.filter((referrer) => referrer.family === family.name).map(({ id }) => id);
    this.#keep(family, await this.#store.getMany(this.#executor, this.#tenantId, family.name, own));
    return true;
  }

  /** Records of the same name, or place: those that are meant are among them. */
  async #keepAlike(family: BundleFamily, values: BundleRecord): Promise<boolean> {
    const matchBy: readonly string[] = family.bundle.matchBy ?? ['name'];
    const text = (field: string): string | undefined =>
      matchBy.includes(field) && typeof values[field] === 'string' ? values[field] : undefined;
    const [name, gatewayId] = [text('name'), text('gateway_id')];
    const { items, total } = await this.#store.list(this.#executor, {
      tenantId: this.#tenantId,
      family: family.name,
      ...(name !== undefined && { name }),
      ...(gatewayId !== undefined && family.scope === 'gateway' && { gatewayId }),
      skip: 0,
      limit: candidatesMax,
    });
    this.#keep(family, items);
    return total <= candidatesMax;
  }

  #keep({ bundle: { key } }: BundleFamily, records: readonly StoredRecord[]): void {
    let known = this.#records.get(key);
    if (!known) this.#records.set(key, (known = new Map()));
    for (const { id, gatewayId, body } of records) {
      known.set(id, { ...body, id, ...(gatewayId !== null && { gateway_id: gatewayId }) });
    }
  }
}

/** A record's target by which few records of the family are found: not the gateway, which a great many refer to. */
function selectiveTarget(
  { references, bundle }: BundleFamily,
  values: BundleRecord,
): { readonly family: string; readonly id: string } | undefined {
  const targets = references
    .filter(({ field, many }) => !many && (bundle.matchBy?.includes(field) ?? true))
    .flatMap(({ field, family }) => {
      const id = values[field];
      return typeof id === 'string' ? [{ family, id }] : [];
    });
  return targets.find(({ family }) => family !== 'gateways');
}
