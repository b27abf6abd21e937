/** Bounds of a document's text. Its size is the caller's to bound. Source: decisions, 15; security, YAML. */
export const documentLimits = {
  /** Levels of objects and lists. */
  depthMax: 64,
  keysPerObjectMax: 10_000,
  /** Characters that a document may gain by its aliases, if what they repeat were written out. */
  aliasedLengthMax: 2_097_152,
  /** Aliases in a document at all: resolving each one walks the anchors before it. */
  aliasesMax: 1000,
} as const;

/** Keys that reach an object's prototype when a document is merged or cloned carelessly. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Stops a parser at an offset of the text. It never leaves `parseDocument`. */
export class DocumentSyntaxError extends Error {
  override readonly name = 'DocumentSyntaxError';
  readonly code = 'document_syntax';
  /** UTF-16 units from the start of the text. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
