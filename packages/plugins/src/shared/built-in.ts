import { definePlugin, type Plugin, type PluginDefinition } from '@portcullis/plugin-runtime';
import type * as v from 'valibot';
import { wholeCheck } from './whole-check.ts';

/** A built-in plugin with what people and the control plane are told about it. */
export interface BuiltIn {
  readonly plugin: Plugin;
  /** One sentence. */
  readonly description: string;
  /** What `config` is checked with; everything that shows the config's form is derived from it. */
  readonly configSchema: v.GenericSchema;
}

/** What a plugin folder declares. */
export interface BuiltInDefinition<Schema extends v.GenericSchema> extends Omit<
  PluginDefinition<v.InferOutput<Schema>>,
  'config'
> {
  readonly description: string;
  readonly config: Schema;
}

/** Declares a built-in plugin. */
export function builtIn<Schema extends v.GenericSchema>(definition: BuiltInDefinition<Schema>): BuiltIn {
  const { description, config, ...rest } = definition;
  const plugin = definePlugin<v.InferOutput<Schema>>({ ...rest, config: wholeCheck(config) });
  return Object.freeze({ plugin, description, configSchema: config });
}
