import * as v from 'valibot';

/** Longest text that a record takes from a client, in characters; the rest is cut. */
export const RECORD_TEXT_LENGTH_MAX = 1024;

/** Most header lines of one message in a record. */
export const RECORD_HEADERS_MAX = 100;

const text = (description: string) =>
  v.pipe(v.string(), v.maxLength(RECORD_TEXT_LENGTH_MAX), v.description(description));
const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.nullable(schema);
const count = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER), v.description(description));
const milliseconds = (description: string) =>
  v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER), v.description(description));

const named = (description: string) =>
  orNull(v.pipe(v.strictObject({ id: text('ID'), name: text('Name') }), v.description(description)));

const headers = (description: string) =>
  v.pipe(
    v.record(text('Name in lower case'), text('Value; several lines joined with a comma')),
    v.maxEntries(RECORD_HEADERS_MAX),
    v.description(description),
  );

/**
 * What all sinks are told of a request: one form for all packages, whose own fields come beside these. Every field is always there, `null`
 * for what is not known, but for the headers, which are there when they are asked for. Readers have to expect more fields.
 * Source: wire, Value forms, Observability.
 */
export const logRecord = v.strictObject({
  timestamp: text('When the request came: RFC 3339, UTC, with milliseconds'),
  request_id: text("The gateway's ID of the request, or what the header of `request_id_header` says"),
  correlation_id: orNull(text('ID of the plugin correlation_id, or what the header of `correlation_id_header` says')),
  trace_id: orNull(text('Trace ID of the W3C trace context, 32 hexadecimal digits')),
  span_id: orNull(text('ID of the span that the upstream sees as its parent, 16 hexadecimal digits')),
  tenant_id: text('The tenant'),
  gateway_id: text('The gateway'),
  workspace_id: orNull(text('The workspace')),
  route: named('The route that matched'),
  service: named('The service of that route'),
  consumer: orNull(
    v.pipe(
      v.strictObject({
        id: text('ID'),
        username: orNull(text('User name')),
        custom_id: orNull(text('Custom ID')),
        groups: v.pipe(v.array(text('Name')), v.maxLength(RECORD_HEADERS_MAX), v.description('Names of the groups')),
      }),
      v.description('Who an authentication plugin found the client to be'),
    ),
  ),
  credential_id: orNull(text('ID of the credential that was presented, never its value')),
  method: text('The method'),
  scheme: text('`http` or `https`'),
  host: text("Host of the request's authority, without the port"),
  path: text('The path that the client asked for, in its normalised form'),
  query: text('The query with `***` for each value, empty for none'),
  status: orNull(v.pipe(count('Status of the answer; null when none began'), v.maxValue(599))),
  status_source: orNull(text('Who made the answer: `upstream`, `plugin` or `gateway`')),
  latency_ms: orNull(milliseconds("From the request's head to the end of the answer, in milliseconds")),
  upstream_latency_ms: orNull(milliseconds("From sending to the upstream's head, in milliseconds")),
  gateway_latency_ms: orNull(milliseconds('latency_ms without upstream_latency_ms')),
  request_bytes: orNull(count("Bytes of the request's body")),
  response_bytes: orNull(count("Bytes of the answer's body")),
  client_ip: text("The client's address"),
  user_agent: orNull(text('User-Agent of the request')),
  complete: orNull(
    v.pipe(
      v.boolean(),
      v.description('Whether the client was sent the whole answer; null when the record left before the end'),
    ),
  ),
  failure: orNull(
    v.pipe(
      v.strictObject({
        code: text('Which failure, for programs: `upstream_timeout`, `plugin_failed`, …'),
        plugin: orNull(text('Name of the plugin that failed')),
      }),
      v.description('Why the request failed, or its answer is not whole: `upstream_reset`, `client_left`, …'),
    ),
  ),
  request_headers: v.optional(headers('Headers of the request as the upstream gets them, with `***` for credentials')),
  response_headers: v.optional(headers('Headers of the answer, with `***` for credentials')),
});

/** See {@link logRecord}. */
export type LogRecord = v.InferOutput<typeof logRecord>;
