import * as v from 'valibot';
import { choice, configObject, text } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, sameOrAbsent } from '../shared/config-rules.ts';
import { recordFields } from '../shared/records/record-fields.ts';
import { contentTypeField, endpointField, httpFields, noContentType } from '../shared/sinks/http-fields.ts';
import { sinkFields, timeoutField } from '../shared/sinks/sink-fields.ts';
import { SITES } from './sites.ts';
import { tagsField } from './tags.ts';

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
  ...httpFields,
  content_type: v.optional(
    contentTypeField(
      'Media type of the calls; application/x-ndjson sends a record a line, any other a list of records',
    ),
    'application/json',
  ),
  timeout: timeoutField('Longest time of one call, in seconds'),
  ...sinkFields,
  ...recordFields,
});

/** Config of `apm_vendor`. */
export const config = requireOneOf(
  crossFieldRule(fields, (settings) => [
    ...sameOrAbsent(settings, 'endpoint', 'intake_url'),
    ...sameOrAbsent(settings, 'endpoint', 'apm_endpoint'),
    ...sameOrAbsent(settings, 'intake_url', 'apm_endpoint'),
    ...noContentType(settings.headers),
  ]),
  [['api_key', 'site'], 'endpoint', 'intake_url', 'apm_endpoint'],
);

/** See {@link config}. Rules between fields do not change its form. */
export type Config = v.InferOutput<typeof fields>;
