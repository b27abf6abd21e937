import * as v from 'valibot';
import { choice, configObject, flag, text } from '../shared/config-fields.ts';
import { crossFieldRule, type CrossFieldIssue } from '../shared/config-rules.ts';
import { timeoutField } from '../shared/sinks/sink-fields.ts';
import { hostField, portField } from '../shared/sockets/address-fields.ts';
import { dialects, tagFormats } from './dialects.ts';
import { tagsField } from './tags.ts';

/** Least share of requests that a config may ask for. */
export const SAMPLE_RATE_MIN = 0.0001;

const fields = configObject({
  host: hostField('Name or IP address of the StatsD server'),
  port: portField('Its port, for datagrams'),
  namespace: v.optional(
    v.pipe(
      text('What the names of all metrics begin with', 100),
      v.regex(/^[\w-]+(?:\.[\w-]+)*$/, 'must be letters, digits, _ and -, with dots between them'),
    ),
    'portcullis',
  ),
  tag_format: v.optional(
    choice('How lines say tags: in the form of one kind of server, or not at all (`statsd`, `none`)', tagFormats),
    'dogstatsd',
  ),
  tags: v.optional(tagsField),
  include_route_tags: v.optional(
    flag('Whether lines have the tags gateway, service and route. When absent: where the format has tags'),
  ),
  sample_rate: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(SAMPLE_RATE_MIN, `must be at least ${SAMPLE_RATE_MIN}`),
      v.maxValue(1, 'must be at most 1'),
      v.description('Share of requests whose lines are sent; they say so, and servers multiply what they count'),
    ),
    1,
  ),
  dry_run: v.optional(flag('Makes lines and sends none; at the log level debug, the gateway shows them'), false),
  capture_to_state: v.optional(
    flag('Leaves the lines in the state of the request, as a list under `daemon_metrics:lines`, when it is over'),
    false,
  ),
  timeout: timeoutField('Longest time for finding the address and for the system to take a batch, in seconds'),
});

/** Config of `daemon_metrics`. */
export const config = crossFieldRule(fields, tagIssues);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;

function tagIssues(given: v.InferOutput<typeof fields>): readonly CrossFieldIssue[] {
  if (dialects[given.tag_format].hasTags) return [];
  const message = `cannot be said in the form ${given.tag_format}, which has no tags`;
  const issues: CrossFieldIssue[] = [];
  if (given.tags !== undefined) issues.push({ field: 'tags', message });
  if (given.include_route_tags === true) issues.push({ field: 'include_route_tags', message });
  return issues;
}
