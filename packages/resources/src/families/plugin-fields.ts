import * as v from 'valibot';
import * as field from '../fields.ts';

/** When an instance runs. Source: spec, Plugin instance. */
export const pluginTriggers = [
  'before_request',
  'after_response',
  'on_error',
  'stream',
  'tcp',
  'both',
  'request_response',
  'all',
] as const;

/** Whose traffic an instance sees. Source: spec, Plugin instance. */
export const pluginScopes = [
  'global',
  'tenant',
  'gateway',
  'workspace',
  'service',
  'route',
  'consumer',
  'consumer_group',
] as const;

/** Exact name of an installed package. */
export const pluginName: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a package name: 1 to 64 of a-z 0-9 _'),
  v.description('Exact installed package name'),
);

/** Higher runs first. Source: spec, Limits. */
export const pluginPriority: v.GenericSchema<number | undefined, number> = field.integer(
  -100_000,
  100_000,
  0,
  'Higher runs first',
);

const bounded = (minimum: number, maximum: number) =>
  v.pipe(
    v.number(),
    v.integer('must be a whole number'),
    v.minValue(minimum, `must be at least ${minimum}`),
    v.maxValue(maximum, `must be at most ${maximum}`),
  );

/** How the runtime guards an instance. Source: spec, Execution policy: fields, ranges, defaults. */
export const executionPolicy: v.GenericSchema = v.optional(
  v.strictObject({
    timeout_ms: v.optional(bounded(10, 30_000), 5000),
    hook_timeouts_ms: v.optional(
      v.strictObject({
        request: v.optional(bounded(10, 30_000)),
        response: v.optional(bounded(10, 30_000)),
        error: v.optional(bounded(10, 30_000)),
        stream: v.optional(bounded(10, 30_000)),
        tcp: v.optional(bounded(10, 30_000)),
      }),
      {},
    ),
    failure_threshold: v.optional(bounded(1, 100), 3),
    recovery_timeout_ms: v.optional(bounded(100, 3_600_000), 30_000),
    failure_mode: v.optional(v.picklist(['inherit', 'fail_open', 'strict']), 'inherit'),
    max_concurrency: v.optional(bounded(1, 256), 32),
  }),
  {},
);
