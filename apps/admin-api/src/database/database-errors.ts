/** The setting that names the database cannot be used. The message never repeats a password. */
export class DatabaseConfigurationError extends Error {
  override readonly name = 'DatabaseConfigurationError';
  readonly code = 'database_configuration';
}

/**
 * The database cannot be reached, is too busy, or its connection broke. Worth trying again; the outcome of a commit that
 * was under way is unknown.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  readonly code = 'database_unavailable';
}

/** Which kind of constraint a statement broke. */
export type ConstraintKind = 'unique' | 'foreign_key' | 'check' | 'not_null';

/** A statement broke a constraint. The same on both databases; `cause` has the driver's own error where there is one. */
export class ConstraintViolationError extends Error {
  override readonly name = 'ConstraintViolationError';
  readonly code = 'constraint_violation';
  readonly kind: ConstraintKind;

  constructor(kind: ConstraintKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** A statement failed for a reason that is a bug of ours (bad SQL, wrong types, a result beyond the cap). */
export class DatabaseStatementError extends Error {
  override readonly name = 'DatabaseStatementError';
  readonly code = 'database_statement';
  /** The database's own code, such as `SQLITE_ERROR` or `42601`. */
  readonly databaseCode: string;

  constructor(databaseCode: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.databaseCode = databaseCode;
  }
}
