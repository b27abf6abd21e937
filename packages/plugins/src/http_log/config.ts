import * as v from 'valibot';
import { configObject } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf } from '../shared/config-rules.ts';
import { endpointField, httpSinkFields, httpSinkIssues } from '../shared/sinks/http-fields.ts';

const ENDPOINTS = ['http_endpoint', 'endpoint'];

const fields = configObject({
  http_endpoint: v.optional(endpointField('Where records are sent')),
  endpoint: v.optional(endpointField('Another name of http_endpoint')),
  ...httpSinkFields(
    'Media type of the calls; application/x-ndjson sends a record a line, any other a record or a list of records',
  ),
});

/** Config of `http_log`. */
export const config = requireOneOf(
  crossFieldRule(fields, (settings) => httpSinkIssues(settings, ENDPOINTS)),
  ENDPOINTS,
);

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;
