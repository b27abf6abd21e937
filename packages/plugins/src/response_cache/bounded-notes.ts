/** Numbers by name, of the names that were noted last. It takes no room before something is noted. */
export class BoundedNotes {
  readonly #notes = new Map<string, number>();
  readonly #notesMax: number;

  constructor(notesMax: number) {
    this.#notesMax = notesMax;
  }

  get(name: string): number | undefined {
    return this.#notes.get(name);
  }

  /** @returns the note that had to go for it, if one had to */
  set(name: string, note: number): number | undefined {
    this.#notes.delete(name);
    this.#notes.set(name, note);
    if (this.#notes.size <= this.#notesMax) return undefined;
    for (const [oldest, forgotten] of this.#notes) {
      this.#notes.delete(oldest);
      return forgotten;
    }
    return undefined;
  }

  delete(name: string): void {
    this.#notes.delete(name);
  }
}
