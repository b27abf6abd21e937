import * as v from 'valibot';
import { choice, configObject, text } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, type CrossFieldIssue } from '../shared/config-rules.ts';
import { endpointField, httpSinkFields, httpSinkIssues } from '../shared/sinks/http-fields.ts';
import { SITES } from './sites.ts';
import { tagsField } from './tags.ts';

/** Header of the vendor's key. */
export const KEY_HEADER = 'DD-API-KEY';

const ENDPOINTS = ['endpoint', 'intake_url', 'apm_endpoint'];

/** Longest name that becomes part of a tag, in characters. */
const NAME_LENGTH_MAX = 100;

const tagValue = (description: string) =>
  v.pipe(text(description, NAME_LENGTH_MAX), v.regex(/^[^,\s]+$/, 'must have no space and no comma'));

const fields = configObject({
  api_key: v.optional(
    v.pipe(
      text("The vendor's API key, or a reference to it: `vault://prefix/secret` or `env://NAME`", 1024),
      v.regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces'),
      v.metadata({ 'x-secret': true }),
    ),
  ),
  site: v.optional(choice("The vendor's site that the key belongs to", SITES)),
  endpoint: v.optional(
    endpointField("Where records are sent in place of the site's intake, an agent or a proxy for instance"),
  ),
  intake_url: v.optional(endpointField('Another name of endpoint')),
  apm_endpoint: v.optional(endpointField('Another name of endpoint')),
  service_name: v.optional(
    tagValue("`service` of each record; the name of the route's service when absent, else `gateway`"),
  ),
  env: v.optional(tagValue('Tag `env`')),
  version: v.optional(tagValue('Tag `version`')),
  source: v.optional(tagValue('`ddsource` of each record'), 'portcullis'),
  tags: v.optional(tagsField('Further tags')),
  metric_prefix: v.optional(
    v.pipe(
      text(
        'Begin of the names of figures. With it each record has figures; without an endpoint the site is sent them summed up, too',
        100,
      ),
      v.regex(
        /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*$/,
        'must be letters, digits and _, in parts with dots between',
      ),
    ),
  ),
  ...httpSinkFields('Media type of the calls; application/x-ndjson sends a record a line, any other a list of records'),
});

/** Config of `apm_vendor`. */
export const config = requireOneOf(
  crossFieldRule(fields, (settings) => [...httpSinkIssues(settings, ENDPOINTS), ...keyIssues(settings)]),
  [['api_key', 'site'], ...ENDPOINTS],
);

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;

/** The key has a field of its own; a call with two has none for the vendor. */
function keyIssues({ api_key: key, headers = {} }: Config): readonly CrossFieldIssue[] {
  const isTwice = key !== undefined && Object.keys(headers).some((name) => name.toUpperCase() === KEY_HEADER);
  return isTwice ? [{ field: 'headers', message: `must not have ${KEY_HEADER}, which api_key says` }] : [];
}
