/** What a tenant lets a consumer, a group or everybody do. Made by `readPolicy`. Source: spec, AI gateway records. */
export interface AiPolicy {
  /** Tells its counters from those of others of the tenant: the record's ID, or a name that the reader of a config gave it. */
  readonly id: string;
  readonly name: string;
  /** Whom it is for: the consumer of this ID, the group of this name, or every consumer without another policy (`default`, `*`). */
  readonly scope: 'consumer' | 'group' | 'default';
  /** The consumer's ID, the group's name, or `default` or `*`. */
  readonly scopeName: string;
  /** Patterns; empty for all. */
  readonly allowedModels: readonly string[];
  /** Patterns; they beat allowed ones. */
  readonly deniedModels: readonly string[];
  /** Tokens that its subject may use up; 0 for no such limit. */
  readonly tokenBudget: number;
  /** After which the budget begins anew, in milliseconds; 0 for never. */
  readonly tokenBudgetWindowMs: number;
  /** Requests for one model in a rolling window; 0 for no such limit. */
  readonly rateLimit: number;
  /** Length of that window, in milliseconds; 0 for no such limit. */
  readonly rateWindowMs: number;
}

/** Who asks. `ConsumerIdentity` of `@portcullis/plugin-runtime` is one. */
export interface PolicyConsumer {
  readonly id: string;
  /** Names, in the consumer's stored order. */
  readonly groups: readonly string[];
}
