/** Bounds of what clients are made of. What a document costs to read is bounded by `@portcullis/openapi` already. */
export const sdkLimits = {
  operationsMax: 2000,
  typesMax: 20_000,
  /** Fields, values and variants of all types together: what is merged may repeat the same ones in many types. */
  membersMax: 200_000,
  /** Schemas that are looked at, each time counted: what refers to each other may do so in more ways than there are schemas. */
  stepsMax: 1_000_000,
  /** Lists, maps and choices in each other without a type that has a name; references in a row count, too. */
  depthMax: 64,
  /** Characters of a name on the wire, or of a value of an enum. */
  nameLengthMax: 1024,
  /** Characters of the API's title; the rest is cut. */
  titleLengthMax: 200,
  /** Characters of a default value that is told in a description. */
  defaultLengthMax: 100,
  problemsMax: 100,
  warningsMax: 100,
  /** Characters of all files of a library together, before they are packed. */
  filesLengthMax: 67_108_864,
} as const;
