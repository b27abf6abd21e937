import { fieldOf, isObject, textField } from '@portcullis/openapi';
import type { JsonObject } from '@portcullis/openapi';

/** What a description says about its records with fields of its own. */
export interface Overrides {
  /** `x-portcullis-name`. */
  readonly name: string | undefined;
  /** `x-portcullis-service`: fields of the services. Of the description only. */
  readonly service: JsonObject;
  /** `x-portcullis-route`: fields of the routes. */
  readonly route: JsonObject;
  /** `x-portcullis-plugins`: entries as routes have them inline. */
  readonly plugins: readonly JsonObject[];
}

/** Told of an extension that has the wrong form, by its name. */
export type RefuseExtension = (name: string, message: string) => void;

/** The `x-portcullis-*` fields of an object of a description. What is inside is checked as the records that it becomes. */
export function overridesOf(object: JsonObject, refuse: RefuseExtension): Overrides {
  const objectField = (name: string): JsonObject => {
    const value = fieldOf(object, name);
    if (value !== undefined && !isObject(value)) refuse(name, 'must be an object');
    return isObject(value) ? value : {};
  };
  const plugins = fieldOf(object, 'x-portcullis-plugins') ?? [];
  const isList = Array.isArray(plugins) && plugins.every((entry) => isObject(entry));
  if (!isList) refuse('x-portcullis-plugins', 'must be a list of objects');
  const name = textField(object, 'x-portcullis-name');
  if (name === undefined && fieldOf(object, 'x-portcullis-name') !== undefined) {
    refuse('x-portcullis-name', 'must be a text');
  }
  return {
    name,
    service: objectField('x-portcullis-service'),
    route: objectField('x-portcullis-route'),
    plugins: isList ? plugins : [],
  };
}

/** Plugins of an operation and of its path: the operation's own win over those of the same name. */
export function mergedPlugins(ofPath: readonly JsonObject[], own: readonly JsonObject[]): readonly JsonObject[] {
  const names = new Set(own.map((entry) => entry['name']));
  return [...ofPath.filter((entry) => !names.has(entry['name'])), ...own];
}
