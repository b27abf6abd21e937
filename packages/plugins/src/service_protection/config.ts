import * as v from 'valibot';
import { ENTRIES_MAX, configObject, flag, text, wholeNumber } from '../shared/config-fields.ts';
import { statusCodes } from '../shared/status-codes.ts';

/** Longest `open_circuit_body`, in characters. */
const BODY_LENGTH_MAX = 65_536;

/** Text or an object. No union: its branch for objects would take a list for one. */
const body = v.pipe(
  v.unknown(),
  v.check(isBody, `must be text or an object of at most ${BODY_LENGTH_MAX} characters`),
  v.metadata({
    anyOf: [
      { type: 'string', minLength: 1, maxLength: BODY_LENGTH_MAX },
      { type: 'object', maxProperties: ENTRIES_MAX },
    ],
  }),
  v.description('Body of answers while the circuit is open: text, or an object that is sent as JSON'),
  v.transform((given) => (typeof given === 'string' ? given : JSON.stringify(given))),
);

const rate = v.pipe(
  v.number('must be a number'),
  v.minValue(0.001, 'must be at least 0.001'),
  v.maxValue(100, 'must be at most 100'),
  v.description(
    'Share of failures within the window that opens the circuit: up to 1 it is a ratio, above it percent. ' +
      '0.5 when failure_threshold is absent too',
  ),
);

/** Config of `service_protection`. */
export const config = configObject({
  max_concurrent_requests: v.optional(
    wholeNumber('Requests that a service may have at once; no bound when absent', 1, 1_000_000),
  ),
  status_code: v.optional(wholeNumber('Status of the answer to one request too many', 400, 599), 503),
  message: v.optional(
    text('What the answer to one request too many says', 1024),
    'the service has as many requests as it may have',
  ),
  failure_threshold: v.optional(wholeNumber('Failures within the window that open the circuit', 1, 1_000_000)),
  failure_rate_threshold: v.optional(rate),
  minimum_requests: v.optional(
    wholeNumber('Answered and failed requests within the window before failure_rate_threshold counts', 1, 1_000_000),
    20,
  ),
  failure_window_seconds: v.optional(wholeNumber('How long a result counts, in seconds', 1, 3600), 30),
  failure_status_codes: v.optional(
    statusCodes("Statuses of the service's answers that are failures", { min: 400, max: 599, entriesMax: 200 }),
    [500, 502, 503, 504],
  ),
  cooldown_seconds: v.optional(
    wholeNumber('Seconds for which the circuit stays open before one request probes the service', 1, 86_400),
    30,
  ),
  open_circuit_status: v.optional(wholeNumber('Status of answers while the circuit is open', 200, 599), 503),
  open_circuit_body: v.optional(body),
  service_key: v.optional(
    text(
      'What shares one state: service, route, gateway; any other text is itself the name of one state for all requests',
      256,
    ),
    'service',
  ),
  namespace: v.optional(
    text('Instances of a tenant with one namespace share their states; absent: the instance has its own', 256),
  ),
  include_headers: v.optional(flag('Whether answers say the state in X-Service-Protection-… headers'), false),
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;

function isBody(given: unknown): boolean {
  if (typeof given === 'string') return given.length > 0 && given.length <= BODY_LENGTH_MAX;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  return Object.keys(given).length <= ENTRIES_MAX && JSON.stringify(given).length <= BODY_LENGTH_MAX;
}
