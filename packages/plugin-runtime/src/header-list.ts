import { checkedEdits, type CheckedEdits } from './checked-edits.ts';
import { isSameName } from './header-field.ts';
import type { HeaderEdit, HeaderView } from './header-view.ts';

/**
 * The header fields of one message as a flat list of names and values by turns, in order of arrival. It takes over the
 * array that it is made of, such as Node's `rawHeaders`: nothing is copied or indexed, look-ups are linear scans, which for
 * the usual ten to thirty fields is quicker than building a map per message.
 */
export class HeaderList implements HeaderView {
  readonly #pairs: string[];

  /** @param pairs name and value by turns; owned by the list from now on */
  constructor(pairs: string[] = []) {
    this.#pairs = pairs;
  }

  get(name: string): string | undefined {
    const pairs = this.#pairs;
    let found: string | undefined;
    for (let index = 0; index < pairs.length; index += 2) {
      if (!isSameName(pairs[index] as string, name)) continue;
      const value = pairs[index + 1] as string;
      found = found === undefined ? value : `${found}, ${value}`;
    }
    return found;
  }

  getAll(name: string): readonly string[] {
    const pairs = this.#pairs;
    const values: string[] = [];
    for (let index = 0; index < pairs.length; index += 2) {
      if (isSameName(pairs[index] as string, name)) values.push(pairs[index + 1] as string);
    }
    return values;
  }

  has(name: string): boolean {
    return this.#indexOf(name) >= 0;
  }

  forEach(visit: (name: string, value: string) => void): void {
    const pairs = this.#pairs;
    for (let index = 0; index < pairs.length; index += 2) visit(pairs[index] as string, pairs[index + 1] as string);
  }

  /** The list itself, name and value by turns. Read it when the chain is done; later edits show in it. */
  toPairs(): readonly string[] {
    return this.#pairs;
  }

  /**
   * Applies edits in their order, all or none.
   * @throws TypeError for an edit that no header may be made of; nothing has changed then
   */
  apply(edits: readonly HeaderEdit[]): void {
    this.applyChecked(checkedEdits(edits));
  }

  /** Applies edits that were checked before, in their order. */
  applyChecked(edits: CheckedEdits): void {
    for (let index = 0; index < edits.length; index += 3) {
      this.#applyOne(edits[index] as HeaderEdit['op'], edits[index + 1] as string, edits[index + 2] as string);
    }
  }

  #applyOne(op: HeaderEdit['op'], name: string, value: string): void {
    switch (op) {
      case 'set':
        return this.#set(name, value);
      case 'append':
        this.#pairs.push(name, value);
        return;
      case 'set_if_absent':
        if (!this.has(name)) this.#pairs.push(name, value);
        return;
      case 'set_if_present':
        if (this.has(name)) this.#set(name, value);
        return;
      case 'remove':
        return this.#removeFrom(name, 0);
      case 'rename':
        return this.#rename(name, value);
    }
  }

  /** The first line takes the value where it stands, so that a `set` keeps the order; further lines go. */
  #set(name: string, value: string): void {
    const index = this.#indexOf(name);
    if (index < 0) {
      this.#pairs.push(name, value);
      return;
    }
    this.#pairs[index] = name;
    this.#pairs[index + 1] = value;
    this.#removeFrom(name, index + 2);
  }

  #rename(from: string, to: string): void {
    if (!this.has(from)) return;
    if (!isSameName(from, to)) this.#removeFrom(to, 0);
    const pairs = this.#pairs;
    for (let index = 0; index < pairs.length; index += 2) {
      if (isSameName(pairs[index] as string, from)) pairs[index] = to;
    }
  }

  #removeFrom(name: string, start: number): void {
    const pairs = this.#pairs;
    let kept = start;
    for (let index = start; index < pairs.length; index += 2) {
      if (isSameName(pairs[index] as string, name)) continue;
      if (kept !== index) {
        pairs[kept] = pairs[index] as string;
        pairs[kept + 1] = pairs[index + 1] as string;
      }
      kept += 2;
    }
    if (kept !== pairs.length) pairs.length = kept;
  }

  #indexOf(name: string): number {
    const pairs = this.#pairs;
    for (let index = 0; index < pairs.length; index += 2) if (isSameName(pairs[index] as string, name)) return index;
    return -1;
  }
}

// Assigning to a method throws: hooks of one request share the object.
Object.freeze(HeaderList.prototype);
