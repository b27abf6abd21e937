import type { SubNamespace } from '../csharp-file.ts';

/** A file that is the same in every library but for its namespace. */
export interface CsharpTemplate {
  readonly subNamespace: SubNamespace;
  readonly name: string;
  /** Those that begin with a dot are below the namespace of the library. */
  readonly usings: readonly string[];
  readonly body: string;
}
