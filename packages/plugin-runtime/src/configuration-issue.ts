/** A mistake in an instance or inline entry: which one, where in it, which rule. No value of a config is ever in it. */
export interface ConfigurationIssue {
  /** Whether `index` counts collection instances or a route's inline entries. */
  readonly source: 'collection' | 'inline';
  readonly index: number;
  /** ID of the instance; empty for an inline entry without one, and for what is no record at all. */
  readonly id: string;
  /** Name of the plugin as the record gives it. */
  readonly name: string;
  /** JSON Pointer into the record, for instance `/config/limit`. */
  readonly pointer: string;
  /**
   * `unknown_plugin`, `unknown_trigger`, `unsupported_trigger`, `unknown_scope`, `selector_required`, `required`, `type`,
   * `out_of_range`, `unknown_value`, `unknown_field`, `duplicate_id`, `contradiction`, `schema_failed`, `setup_failed`, or the
   * schema rule of a config.
   */
  readonly code: string;
  readonly message: string;
}

/** A mistake before it is said in which record it stands. */
export type RecordIssue = Pick<ConfigurationIssue, 'pointer' | 'code' | 'message'>;
