/** A text of one source file, and what stands in its place while a rule is out. */
export interface RuleEdit {
  /** The file that enforces the rule. */
  readonly file: string;
  /** Everywhere in the file. Short, so that it stays right when what is around it changes. */
  readonly from: string;
  readonly to: string;
}

/** See {@link RuleEdit}. */
export function edit(file: string, from: string, to: string): RuleEdit {
  return { file, from, to };
}

/** A rule of docs/security.md, and how to take it out. */
export interface Rule {
  /** The row's test. */
  readonly test: string;
  /** The title as the row has it. */
  readonly title: string;
  /** An expression for the names of the tests that are run, where the title is that of many. Default: the title up to its first placeholder. */
  readonly only?: string;
  /** More than one where a second layer would hold without the first. */
  readonly edits: readonly RuleEdit[];
  /** Without the rule its test blocks its process for good: that it has to be ended is how it fails. Default: it fails by itself. */
  readonly neverEnds?: true;
}
