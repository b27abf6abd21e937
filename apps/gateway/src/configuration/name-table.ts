import { SharedMap, type SharedMapEdit } from './shared-map.ts';

/**
 * Names and what they stand for. Several records may claim one name, though a control plane lets no two have it: then the one with
 * the smallest ID has it, whatever came first, and the next one when that is gone. So nodes that got the same configuration in
 * different steps agree.
 */
export class NameTable<Value> {
  readonly #idOf: (value: Value) => string;
  /** Who claims a name that another one has, by name and ID. */
  readonly #rivals = new Map<string, Map<string, Value>>();
  #current = new SharedMap<Value>();
  #edit: SharedMapEdit<Value> | undefined;

  /** @param idOf the ID of the record that a value was made of */
  constructor(idOf: (value: Value) => string) {
    this.#idOf = idOf;
  }

  /** A record has a name, from the next {@link finish} on. What it claimed under this name before is replaced. */
  claim(name: string, value: Value): void {
    const edit = (this.#edit ??= this.#current.edit());
    const holder = edit.get(name);
    if (holder === undefined || this.#idOf(holder) === this.#idOf(value)) {
      edit.set(name, value);
      return;
    }
    const [first, second] = this.#idOf(holder) < this.#idOf(value) ? [holder, value] : [value, holder];
    edit.set(name, first);
    const rivals = this.#rivals.get(name) ?? new Map<string, Value>();
    rivals.delete(this.#idOf(first));
    this.#rivals.set(name, rivals.set(this.#idOf(second), second));
  }

  /** A record has a name no more. */
  release(name: string, id: string): void {
    const edit = (this.#edit ??= this.#current.edit());
    const rivals = this.#rivals.get(name);
    const holder = edit.get(name);
    if (holder !== undefined && this.#idOf(holder) === id) {
      const next = rivals && this.#smallest(rivals);
      if (next === undefined) edit.delete(name);
      else edit.set(name, next);
      if (next !== undefined) rivals?.delete(this.#idOf(next));
    } else rivals?.delete(id);
    if (rivals?.size === 0) this.#rivals.delete(name);
  }

  /** The names as they are now; the same map when nothing changed. */
  finish(): SharedMap<Value> {
    if (this.#edit !== undefined) this.#current = this.#edit.finish();
    this.#edit = undefined;
    return this.#current;
  }

  #smallest(rivals: ReadonlyMap<string, Value>): Value | undefined {
    let smallest: Value | undefined;
    for (const value of rivals.values()) {
      if (smallest === undefined || this.#idOf(value) < this.#idOf(smallest)) smallest = value;
    }
    return smallest;
  }
}
