import * as v from 'valibot';
import { configObject, text } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf } from '../shared/config-rules.ts';
import { endpointField, httpSinkFields, httpSinkIssues } from '../shared/sinks/http-fields.ts';

/** Longest name of an event's type or of an action, in characters. */
const WORD_LENGTH_MAX = 256;

const ENDPOINTS = ['audit_endpoint', 'endpoint'];

const fields = configObject({
  audit_endpoint: v.optional(endpointField('Where events are sent')),
  endpoint: v.optional(endpointField('Another name of audit_endpoint')),
  event_type: v.optional(text('`event_type` of each event', WORD_LENGTH_MAX), 'gateway.request'),
  action: v.optional(text('`action` of events about requests that succeeded', WORD_LENGTH_MAX), 'request'),
  error_action: v.optional(
    text(
      '`action` of events about requests that failed: status 400 or above, no answer, or a broken one',
      WORD_LENGTH_MAX,
    ),
    'request_failed',
  ),
  ...httpSinkFields(
    'Media type of the calls; application/cloudevents+json sends CloudEvents, application/x-ndjson an event a line, any other an event or a list of events',
  ),
});

/** Config of `audit_event_stream`. */
export const config = requireOneOf(
  crossFieldRule(fields, (settings) => httpSinkIssues(settings, ENDPOINTS)),
  ENDPOINTS,
);

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;
