import * as v from 'valibot';
import { maxCharacters } from '../text-length.ts';

/** Bounds of health checks. Source: Kong's fields, which the wire contract takes over. */
export const healthCheckLimits = {
  secondsMax: 65_535,
  /** Between two probes of a target: each gateway process sends as many, to addresses that a tenant chooses. */
  intervalSecondsMin: 0.1,
  countMax: 255,
  concurrencyMax: 65_535,
  thresholdMax: 100,
  statusMin: 100,
  statusMax: 999,
  statusesMax: 32,
  headersMax: 32,
  headerNameLengthMax: 128,
  headerValueLengthMax: 1024,
} as const;

const limits = healthCheckLimits;

/** How a target is asked, or listened to. */
export const healthCheckTypes = ['http', 'https', 'grpc', 'grpcs', 'tcp'] as const;

const type = v.optional(
  v.pipe(v.picklist(healthCheckTypes), v.description('What counts: answers (http, grpc) or connections alone (tcp)')),
  'http',
);

const seconds = (fallback: number, about: string) =>
  v.optional(
    v.pipe(
      v.number(),
      v.minValue(0, 'must be at least 0'),
      v.maxValue(limits.secondsMax, `must be at most ${limits.secondsMax}`),
      v.description(about),
    ),
    fallback,
  );

const interval = (fallback: number, about: string) =>
  v.optional(
    v.pipe(
      v.number(),
      v.minValue(0, 'must be at least 0'),
      v.maxValue(limits.secondsMax, `must be at most ${limits.secondsMax}`),
      v.check(
        (value) => value <= 0 || value >= limits.intervalSecondsMin,
        `must be 0 or at least ${limits.intervalSecondsMin}`,
      ),
      v.description(about),
    ),
    fallback,
  );

const count = (fallback: number, about: string) =>
  v.optional(
    v.pipe(
      v.number(),
      v.integer('must be a whole number'),
      v.minValue(0, 'must be at least 0'),
      v.maxValue(limits.countMax, `must be at most ${limits.countMax}`),
      v.description(`${about}; 0: never`),
    ),
    fallback,
  );

const statuses = (fallback: readonly number[], about: string) =>
  v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.number(),
          v.integer('must be a whole number'),
          v.minValue(limits.statusMin, `must be at least ${limits.statusMin}`),
          v.maxValue(limits.statusMax, `must be at most ${limits.statusMax}`),
        ),
      ),
      v.maxLength(limits.statusesMax, `must have at most ${limits.statusesMax} items`),
      v.check((items) => new Set(items).size === items.length, 'must not repeat an item'),
      v.description(about),
    ),
    [...fallback],
  );

const headerName = v.pipe(
  v.string(),
  maxCharacters(limits.headerNameLengthMax),
  v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header field'),
);

const headerValues = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      maxCharacters(limits.headerValueLengthMax),
      // oxlint-disable-next-line no-control-regex -- control characters are what is refused
      v.regex(/^[^\u0000-\u001F\u007F]*$/, 'must not contain control characters'),
    ),
  ),
  v.minLength(1, 'needs at least one value'),
  v.maxLength(limits.headersMax),
);

const headers = v.optional(
  v.pipe(
    v.record(headerName, headerValues),
    v.check((map) => Object.keys(map).length <= limits.headersMax, `must have at most ${limits.headersMax} entries`),
    v.description('Fields of the probe: name to values'),
  ),
  {},
);

const healthyStatuses = 'Statuses that count as a success; one that is in both lists is one';
const unhealthyStatuses = 'Statuses that count as a failure; one that is in neither list changes nothing';

const failures = {
  tcp_failures: count(2, 'Failed connections in a row that make a target unhealthy'),
  timeouts: count(3, 'Time-outs in a row that make a target unhealthy'),
  http_failures: count(5, 'Failures by status in a row that make a target unhealthy'),
} as const;

const active = v.strictObject({
  type,
  timeout: seconds(1, 'Seconds that a probe may take'),
  concurrency: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(limits.concurrencyMax, `must be at most ${limits.concurrencyMax}`),
      v.description('Targets that are probed at once'),
    ),
    10,
  ),
  http_path: v.optional(
    v.pipe(
      v.string(),
      maxCharacters(2048),
      v.regex(/^\/[\x21-\x7E]*$/, 'must begin with / and be printable ASCII without spaces'),
      v.description('Path and query of the probe'),
    ),
    '/',
  ),
  https_sni: v.optional(
    v.pipe(
      v.string(),
      maxCharacters(253),
      v.regex(/^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/, 'must be a host name'),
      v.description("Server name of the probe; the upstream's host_header when absent, else the target's host"),
    ),
  ),
  https_verify_certificate: v.optional(
    v.pipe(v.boolean(), v.description("Whether the target's certificate must be trusted")),
    true,
  ),
  headers,
  healthy: v.optional(
    v.strictObject({
      interval: interval(1, 'Seconds between two probes of a healthy target, at least 0.1; 0: none'),
      http_statuses: statuses([200, 302], healthyStatuses),
      successes: count(2, 'Successes in a row that make a target healthy'),
    }),
    {},
  ),
  unhealthy: v.optional(
    v.strictObject({
      interval: interval(1, 'Seconds between two probes of an unhealthy target, at least 0.1; 0: none'),
      http_statuses: statuses([429, 404, 500, 501, 502, 503, 504, 505], unhealthyStatuses),
      ...failures,
    }),
    {},
  ),
});

const passive = v.strictObject({
  type,
  healthy: v.optional(
    v.strictObject({
      http_statuses: statuses(
        [200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 306, 307, 308],
        healthyStatuses,
      ),
      successes: count(2, 'Successes in a row that make a target healthy'),
    }),
    {},
  ),
  unhealthy: v.optional(
    v.strictObject({ http_statuses: statuses([429, 500, 503], unhealthyStatuses), ...failures }),
    {},
  ),
});

/**
 * How gateways find out which targets of an upstream are well. A block that is there has live defaults; one that is not
 * there does nothing. Source: wire contract, Upstreams, targets, health.
 */
export const healthChecks: v.GenericSchema = v.optional(
  v.pipe(
    v.strictObject({
      active: v.optional(v.pipe(active, v.description('Probes that the gateway sends by itself; none when absent'))),
      passive: v.optional(v.pipe(passive, v.description('What answers to traffic tell; nothing when absent'))),
      threshold: v.optional(
        v.pipe(
          v.number(),
          v.minValue(0, 'must be at least 0'),
          v.maxValue(limits.thresholdMax, `must be at most ${limits.thresholdMax}`),
          v.description('Percent of the weight that must be well for the upstream to be used'),
        ),
        0,
      ),
    }),
    v.description('Health checks; none when absent'),
  ),
);
