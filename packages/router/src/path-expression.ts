/** A compiled expression, as the table asks it. RE2JS has this form. */
export interface PathExpression {
  matcher(path: string): {
    /** Whether a match begins where the path begins. */
    lookingAt(): boolean;
    /** Where the match ends. */
    end(): number;
  };
  /** Instructions of the compiled expression: what the time for a character grows with. */
  programSize(): number;
}

/**
 * Compiles the expression of a route's path. The engine is the caller's: it decides the syntax, and its time must be linear
 * in the path, since clients choose the path.
 */
export type CompileExpression = (expression: string) => PathExpression;
