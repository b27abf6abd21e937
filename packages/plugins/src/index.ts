export { toConfigJsonSchema, type JsonSchema } from './json-schema.ts';
export {
  builtInPlugins,
  canonicalConfig,
  pluginCatalogue,
  secretPathsOf,
  type CataloguedPlugin,
} from './plugin-catalogue.ts';
export {
  hostReadReferences,
  isSecretReference,
  isWellFormedReference,
  referencePlaces,
  type ReferencePlace,
} from './secret-references.ts';
export { secretPointers } from './secret-pointers.ts';
