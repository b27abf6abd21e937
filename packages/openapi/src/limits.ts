/** Bounds of what is read of a description. Source: decisions, 15; security, oas_validation. */
export const descriptionLimits = {
  /** Bytes of a text in UTF-8. */
  bytesMax: 16_777_216,
  /** Levels of objects and lists. */
  depthMax: 64,
  keysPerObjectMax: 10_000,
  /** Aliases of a YAML text. Resolving each one walks the anchors before it. */
  aliasesMax: 1000,
  /** Characters that a document may gain by its aliases, if what they repeat were written out. */
  aliasedLengthMax: 2_097_152,
  /** Objects and lists of a document together. */
  containersMax: 1_000_000,
  operationsMax: 10_000,
  /** Keys of one path item, extensions included: many paths may refer to one. */
  pathItemKeysMax: 256,
  /** References that lead to each other before a value is reached. */
  referenceHopsMax: 32,
  /** Parameters of one operation, those of its path included. */
  parametersMax: 256,
  /** Servers of one list, and alternatives of one security requirement. */
  listItemsMax: 256,
  /** Characters of a path template or of a server's address. */
  addressLengthMax: 2048,
  /** Problems that are listed; one more says that there are others. */
  problemsMax: 100,
  /** Characters of a text in which the places of values are found: finding one reads the whole text again. */
  placedLengthMax: 1_048_576,
} as const;
