import * as v from 'valibot';
import * as field from '../fields.ts';
import { pluginTriggers, executionPolicy, pluginName, pluginPriority } from './plugin-fields.ts';

/** A plugin written into a route. Scope fields belong to collection instances only. Source: spec, Plugin instance. */
export const inlinePlugin: v.GenericSchema = v.strictObject({
  id: v.optional(field.id),
  name: pluginName,
  enabled: field.enabled,
  trigger: v.optional(v.picklist(pluginTriggers)),
  stage: v.optional(
    v.pipe(v.picklist(['request', 'response', 'error', 'stream']), v.description('Synonym of the matching trigger')),
  ),
  priority: pluginPriority,
  execution: executionPolicy,
  config: v.optional(
    v.pipe(v.record(v.string(), v.unknown()), v.description("Checked against the package's config_schema")),
    {},
  ),
});
