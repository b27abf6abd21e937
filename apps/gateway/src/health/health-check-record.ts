import * as v from 'valibot';

/**
 * `healthchecks` of an upstream as the gateway reads it, with the defaults of the catalogue. What it does not know is left
 * out: a newer control plane may send more.
 */

const seconds = (fallback: number) => v.optional(v.pipe(v.number(), v.minValue(0)), fallback);
const count = (fallback: number) => v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), fallback);
const statuses = (fallback: readonly number[]) => v.optional(v.array(v.number()), [...fallback]);
const type = v.optional(v.picklist(['http', 'https', 'grpc', 'grpcs', 'tcp']), 'http');
const failures = { tcp_failures: count(2), timeouts: count(3), http_failures: count(5) } as const;

const active = v.object({
  type,
  timeout: seconds(1),
  concurrency: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 10),
  http_path: v.optional(v.string(), '/'),
  https_sni: v.nullish(v.string()),
  https_verify_certificate: v.optional(v.boolean(), true),
  headers: v.optional(v.record(v.string(), v.array(v.string())), {}),
  healthy: v.optional(v.object({ interval: seconds(1), http_statuses: statuses([200, 302]), successes: count(2) }), {}),
  unhealthy: v.optional(
    v.object({
      interval: seconds(1),
      http_statuses: statuses([429, 404, 500, 501, 502, 503, 504, 505]),
      ...failures,
    }),
    {},
  ),
});

const passive = v.object({
  type,
  healthy: v.optional(
    v.object({
      http_statuses: statuses([
        200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 306, 307, 308,
      ]),
      successes: count(2),
    }),
    {},
  ),
  unhealthy: v.optional(v.object({ http_statuses: statuses([429, 500, 503]), ...failures }), {}),
});

/** See above. `threshold` is percent of the weight, and the balancer's. */
export const healthCheckRecord = v.object({
  active: v.nullish(active),
  passive: v.nullish(passive),
  threshold: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100)), 0),
});

/** See {@link healthCheckRecord}. */
export type HealthCheckRecord = v.InferOutput<typeof healthCheckRecord>;
/** Of {@link HealthCheckRecord}: the probes. */
export type ActiveCheckRecord = v.InferOutput<typeof active>;
/** Of {@link HealthCheckRecord}: what traffic tells. */
export type PassiveCheckRecord = v.InferOutput<typeof passive>;
