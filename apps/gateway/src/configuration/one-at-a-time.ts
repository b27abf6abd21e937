/** Work that is done one piece after another, in the order in which it came. One that fails fails for whoever asked for it. */
export class OneAtATime {
  #last: Promise<void> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Resolves when all that came so far is done. Never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
