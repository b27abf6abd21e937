/** Fields by which a record of the tenant names what it is for. A gateway gets the record when it has all that is named. */
export const selectorFields = [
  'gateway_id',
  'workspace_id',
  'service_id',
  'service_name',
  'route_id',
  'route_name',
  'consumer_id',
] as const;

/** What a record selects, as `field value`. */
export type Selector = string;

/** The selectors of a record; a field that is null selects nothing. */
export function selectorsOf(record: Readonly<Record<string, unknown>>): Selector[] {
  return selectorFields.flatMap((field) => {
    const value = record[field];
    if (value === undefined || value === null) return [];
    return [`${field} ${typeof value === 'string' ? value : JSON.stringify(value)}`];
  });
}

/**
 * What of a record others may select, when it is delivered. A disabled consumer offers nothing, so what is for it stays away.
 * @param family as configurations name it
 */
export function offeredBy(family: string, record: Readonly<Record<string, unknown>>): Selector[] {
  const { id, name } = record;
  if (family === 'services') return [`service_id ${String(id)}`, `service_name ${String(name)}`];
  if (family === 'routes') return [`route_id ${String(id)}`, `route_name ${String(name)}`];
  const isConsumer = family === 'consumers' && record['enabled'] !== false;
  return isConsumer ? [`consumer_id ${String(id)}`] : [];
}

/** Counts what delivered records offer. A change is tried out on a draft above the present counts, and taken over once it is sure. */
export class KnownValues {
  readonly #below: KnownValues | undefined;
  readonly #counts = new Map<Selector, number>();

  constructor(below?: KnownValues) {
    this.#below = below;
  }

  has(selector: Selector): boolean {
    return this.#countOf(selector) > 0;
  }

  /** @param by 1 when one more record offers it, -1 when one less does */
  add(selector: Selector, by: 1 | -1): void {
    const count = this.#countOf(selector) + by;
    if (count === 0 && this.#below === undefined) this.#counts.delete(selector);
    else this.#counts.set(selector, count);
  }

  /** Counts that are kept apart from these until {@link take}. */
  draft(): KnownValues {
    return new KnownValues(this);
  }

  /** Selectors that a draft changed from known to unknown or back. */
  flipped(): Selector[] {
    return [...this.#counts].flatMap(([selector, count]) =>
      count > 0 === (this.#below?.has(selector) === true) ? [] : [selector],
    );
  }

  /** Takes a draft of these over. */
  take(draft: KnownValues): void {
    for (const [selector, count] of draft.#counts) {
      if (count > 0) this.#counts.set(selector, count);
      else this.#counts.delete(selector);
    }
  }

  #countOf(selector: Selector): number {
    const own = this.#counts.get(selector);
    if (own !== undefined) return own;
    return this.#below === undefined ? 0 : this.#below.#countOf(selector);
  }
}
