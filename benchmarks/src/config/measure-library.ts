import { describeFamilies, diffBundles, parseBundle, resolveBundle, validateBundle } from '@portcullis/bundle-diff';
import { bundleFamilies, immutableFields, writeSchema } from '@portcullis/resources';
import * as v from 'valibot';
import { stringify } from 'yaml';
import { mixedBundle } from './sample-bundle.ts';

/** Milliseconds of each step of the bundle library for one bundle, in sync with its live state. */
export interface LibraryMeasurement {
  readonly entities: number;
  readonly parseJsonMs: number;
  readonly parseYamlMs: number;
  readonly validateMs: number;
  readonly resolveMs: number;
  readonly diffMs: number;
}

/** The library alone, with the schemas of the catalogue and without the rules that the control plane adds. */
export function measureLibrary(entities: number): LibraryMeasurement {
  const bundle = mixedBundle('acme', entities);
  const [json, yaml] = [JSON.stringify(bundle), stringify(bundle)];
  const descriptor = catalogueDescriptor();
  let made = 0;
  const newId = (): string => `id-${String((made += 1)).padStart(9, '0')}`;
  const live = resolveBundle(documentOf(json, 'json'), descriptor, {}, { newId }).desired;
  const document = timed(() => documentOf(json, 'json'));
  const yamlDocument = timed(() => documentOf(yaml, 'yaml'));
  const validation = timed(() => validateBundle(document.result, descriptor, { live }));
  if (!validation.result.valid) throw new Error(`the sample is wrong: ${JSON.stringify(validation.result.errors[0])}`);
  const resolved = timed(() => resolveBundle(document.result, descriptor, live, { newId }));
  const diff = timed(() => diffBundles(live, resolved.result.desired, descriptor));
  if (!diff.result.in_sync) throw new Error('a bundle differs from itself');
  return {
    entities,
    parseJsonMs: document.ms,
    parseYamlMs: yamlDocument.ms,
    validateMs: validation.ms,
    resolveMs: resolved.ms,
    diffMs: diff.ms,
  };
}

function catalogueDescriptor() {
  const schemas = new Map(bundleFamilies.map((family) => [family.name, writeSchema(family)]));
  return describeFamilies(bundleFamilies, {
    parent: { family: 'gateways', field: 'gateway_id', nameField: 'gateway_name' },
    check(family, record) {
      const schema = schemas.get(family.name);
      const checked = schema && v.safeParse(schema, record);
      if (checked?.success === true) return { ok: true, values: checked.output };
      return { ok: false, problems: [{ pointer: '', code: 'invalid', message: String(checked?.issues[0].message) }] };
    },
    isRequired: (family, field) => family.fields[field]?.type !== 'optional',
    immutable: immutableFields,
    writeOnly: () => [],
  });
}

function documentOf(text: string, format: 'json' | 'yaml'): unknown {
  const parsed = parseBundle(text, { format });
  if (!parsed.ok) throw new Error(`line ${parsed.error.line}: ${parsed.error.message}`);
  return parsed.document;
}

function timed<Result>(work: () => Result): { readonly result: Result; readonly ms: number } {
  const startMs = performance.now();
  const result = work();
  return { result, ms: performance.now() - startMs };
}
