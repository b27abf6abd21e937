import * as v from 'valibot';
import {
  choice,
  configObject,
  flag,
  headerName,
  text,
  wholeNumber,
  writtenHeaderName,
} from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, sameOrAbsent, type CrossFieldIssue } from '../shared/config-rules.ts';
import { destinationUrl } from '../shared/destination-url.ts';

/** What a request's bucket may be made of. */
export const BUCKET_SOURCES = ['consumer', 'credential', 'ip', 'header', 'path', 'request_id', 'random'] as const;

/** See {@link BUCKET_SOURCES}. */
export type BucketSource = (typeof BUCKET_SOURCES)[number];

/** A request that says so in the canary header is no canary. As in nginx ingress and Istio. */
export const NEVER = 'never';

const SEED_LENGTH_MAX = 128;

const percentage = v.pipe(
  v.number('must be a number'),
  v.minValue(0, 'must be at least 0'),
  v.maxValue(100, 'must be at most 100'),
  v.description('Share of the buckets that are canary, in percent; two decimals count'),
);

/** A number and the text that it is written as are one seed. */
const seed = v.pipe(
  v.union(
    [wholeNumber('A number', 0, Number.MAX_SAFE_INTEGER), text('A text', SEED_LENGTH_MAX)],
    'must be a whole number or text',
  ),
  v.description('Goes into every bucket, as bucket_salt does'),
);

const fields = configObject({
  canary_percentage: percentage,
  canary_upstream_url: v.optional(destinationUrl('Where canary requests go in place of the service', 'https')),
  canary_forward_url: v.optional(
    destinationUrl(
      'Where copies of canary requests go, beside the request itself; nobody waits for their answers',
      'https',
    ),
  ),
  bucket_by: v.optional(
    choice('What a request’s bucket is made of; consumer when absent, or header where one is named', BUCKET_SOURCES),
  ),
  bucket_key_source: v.optional(choice('Another name of bucket_by', BUCKET_SOURCES)),
  bucket_header_name: v.optional(headerName('Request header that buckets are made of')),
  header_name: v.optional(headerName('Another name of bucket_header_name')),
  bucket_salt: v.optional(
    text('Goes into every bucket: canaries with the same salt and seed choose the same clients', 128, 0),
    '',
  ),
  seed: v.optional(seed),
  canary_header_name: v.optional(
    headerName('Request header by which a client decides for itself, whatever its bucket; never keeps it out'),
  ),
  canary_header_value: v.optional(
    text('Value of canary_header_name that makes a request a canary; any value but never when absent', 1024),
  ),
  include_decision_headers: v.optional(
    flag('Whether upstream and client are told the side that was chosen; true where decision_header_name is given'),
  ),
  decision_headers: v.optional(flag('Another name of include_decision_headers')),
  decision_header_name: v.optional(
    writtenHeaderName('Header that says canary or primary; X-Canary-Decision when absent'),
  ),
  bucket_header_output_name: v.optional(
    writtenHeaderName('Header that tells upstream and client the bucket, 0 to 9999; none when absent'),
  ),
});

/** Config of `canary_shadow_traffic`. Source: spec, canary_shadow_traffic. */
export const config = crossFieldRule(
  requireOneOf(fields, ['canary_upstream_url', 'canary_forward_url']),
  (settings): readonly CrossFieldIssue[] => [
    ...sameOrAbsent(settings, 'bucket_by', 'bucket_key_source'),
    ...sameOrAbsent(settings, 'include_decision_headers', 'decision_headers'),
    ...headerIssues(settings),
  ],
);

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;

/** Where only a header is named, that is what buckets are made of: nothing else can be meant. */
export function bucketSource(settings: Config): BucketSource {
  const isHeaderNamed = (settings.bucket_header_name ?? settings.header_name) !== undefined;
  return settings.bucket_by ?? settings.bucket_key_source ?? (isHeaderNamed ? 'header' : 'consumer');
}

/** Fields that would say nothing without another one. */
function headerIssues(settings: Config): CrossFieldIssue[] {
  const isByHeader = bucketSource(settings) === 'header';
  const named = settings.bucket_header_name === undefined ? 'header_name' : 'bucket_header_name';
  const isNamed = settings[named] !== undefined;
  const issues: CrossFieldIssue[] = [];
  if (isByHeader && !isNamed)
    issues.push({
      field: 'bucket_header_name',
      message: 'is required: it names the field of the request that buckets are made of',
    });
  if (!isByHeader && isNamed) issues.push({ field: named, message: 'is only used with bucket_by header' });
  // In other words than elsewhere: messages never hold a text of the config, and here `header` is one.
  const [first, second] = [settings.bucket_header_name, settings.header_name];
  if (first !== undefined && second !== undefined && first !== second)
    issues.push({ field: 'header_name', message: 'names another field of the request than its first name does' });
  if (settings.canary_header_value !== undefined && settings.canary_header_name === undefined)
    issues.push({ field: 'canary_header_value', message: 'needs canary_header_name' });
  if (settings.canary_header_value === NEVER)
    issues.push({ field: 'canary_header_value', message: 'must not be never: that keeps a request out' });
  const outputs = [settings.decision_header_name ?? DECISION_HEADER, settings.bucket_header_output_name ?? ''];
  if (outputs[0]?.toLowerCase() === outputs[1]?.toLowerCase())
    issues.push({ field: 'bucket_header_output_name', message: 'must not be the header of the decision' });
  return issues;
}

/** Header of the decision where the config names none. */
export const DECISION_HEADER = 'X-Canary-Decision';
