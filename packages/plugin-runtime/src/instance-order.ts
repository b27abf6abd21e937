/** What decides where an instance stands among the others of its chain. */
export interface OrderKey {
  readonly priority: number;
  readonly name: string;
  /** Empty for an inline entry without one. */
  readonly id: string;
  /** Position in the source: of the record in its collection, or of the entry in its route. */
  readonly position: number;
}

/**
 * The one order of a chain: higher priority, then name, then ID, then position. Texts compare by code unit, so that the
 * order is the same on every machine. The same in all stages. Source: spec, Ordering rules 1 and 2.
 */
export function compareOrder(a: OrderKey, b: OrderKey): number {
  return b.priority - a.priority || compareText(a.name, b.name) || compareText(a.id, b.id) || a.position - b.position;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
