export { toConfigJsonSchema, type JsonSchema } from './json-schema.ts';
export {
  builtInPlugins,
  canonicalConfig,
  pluginCatalogue,
  secretPathsOf,
  type CataloguedPlugin,
} from './plugin-catalogue.ts';
export { secretPointers } from './secret-pointers.ts';
