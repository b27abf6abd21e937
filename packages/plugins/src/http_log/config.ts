import * as v from 'valibot';
import { configObject } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, sameOrAbsent } from '../shared/config-rules.ts';
import { recordFields } from '../shared/records/record-fields.ts';
import { contentTypeField, endpointField, httpFields, noContentType } from '../shared/sinks/http-fields.ts';
import { sinkFields, timeoutField } from '../shared/sinks/sink-fields.ts';

const fields = configObject({
  http_endpoint: v.optional(endpointField('Where records are sent')),
  endpoint: v.optional(endpointField('Another name of http_endpoint')),
  ...httpFields,
  content_type: v.optional(
    contentTypeField(
      'Media type of the calls; application/x-ndjson sends a record a line, any other a record or a list of records',
    ),
    'application/json',
  ),
  timeout: timeoutField('Longest time of one call, in seconds'),
  ...sinkFields,
  ...recordFields,
});

/** Config of `http_log`. */
export const config = requireOneOf(
  crossFieldRule(fields, (settings) => [
    ...sameOrAbsent(settings, 'http_endpoint', 'endpoint'),
    ...noContentType(settings.headers),
  ]),
  ['http_endpoint', 'endpoint'],
);

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;
