/** A class that is the same in every library but for its package. */
export interface JavaText {
  /** Of the class. */
  readonly name: string;
  readonly text: (packageName: string) => string;
}
