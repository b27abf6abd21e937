import { definePlugin, type Plugin, type PluginDefinition, type StandardSchemaV1 } from '@portcullis/plugin-runtime';
import type * as v from 'valibot';
import { withoutNulls } from './absent-nulls.ts';
import { withCredentialHeaders } from './records/credential-headers.ts';
import { listSecretNames, type SecretNames } from './secret-names.ts';
import { wholeCheck } from './whole-check.ts';

/** A built-in plugin with what people and the control plane are told about it. */
export interface BuiltIn {
  readonly plugin: Plugin;
  /** One sentence. */
  readonly description: string;
  /** What `config` is checked with; everything that shows the config's form is derived from it. */
  readonly configSchema: v.GenericSchema;
  /** Lists of the config that may be written as maps. */
  readonly secretNames: SecretNames;
  /** Whether the plugin itself reads the references that stand in its secret fields, with each call. */
  readonly readsReferences: boolean;
}

/** What a plugin folder declares. */
export interface BuiltInDefinition<Schema extends v.GenericSchema> extends Omit<
  PluginDefinition<v.InferOutput<Schema>>,
  'config'
> {
  readonly description: string;
  readonly config: Schema;
  /** Default: none. */
  readonly secretNames?: SecretNames;
  /** Whether `setup` takes `vault://` and `env://` references in secret fields as they are; else the host puts the secrets there. Default: false. */
  readonly readsReferences?: boolean;
  /** Headers that credentials of requests stand in, as configured. No record of the tenant has their values. Default: none. */
  readonly credentialHeaders?: (config: v.InferOutput<Schema>) => readonly string[];
}

/** Declares a built-in plugin. */
export function builtIn<Schema extends v.GenericSchema>(definition: BuiltInDefinition<Schema>): BuiltIn {
  const { description, config, secretNames = {}, readsReferences = false, credentialHeaders, ...rest } = definition;
  const setup: typeof rest.setup = (settings, services) => {
    const hooks = rest.setup(settings, services);
    return credentialHeaders === undefined
      ? hooks
      : withCredentialHeaders(credentialHeaders(settings), services, hooks);
  };
  const plugin = definePlugin<v.InferOutput<Schema>>({ ...rest, setup, config: canonicalFirst(config, secretNames) });
  return Object.freeze({ plugin, description, configSchema: config, secretNames, readsReferences });
}

/** Mistakes are then told by places in the list, never by a name that is a secret. */
function canonicalFirst<Schema extends v.GenericSchema>(
  schema: Schema,
  names: SecretNames,
): StandardSchemaV1<unknown, v.InferOutput<Schema>> {
  const { validate, ...standard } = wholeCheck(schema)['~standard'];
  return { '~standard': { ...standard, validate: (config) => validate(canonicalForm(schema, names, config)) } };
}

/** The form in which a config is kept and checked: lists for maps whose names are secrets, and no field for null. */
export function canonicalForm(schema: v.GenericSchema, names: SecretNames, config: unknown): unknown {
  return withoutNulls(schema, listSecretNames(config, names));
}
