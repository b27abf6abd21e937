import type { BundleRecord, CheckedRecord } from '@portcullis/bundle-diff';
import { aiConfigSchema, normaliseAiConfig, vaultConfigSchema } from '@portcullis/resources';
import * as v from 'valibot';
import { schemaProblems } from './schema-problems.ts';

/** What a family's `config` holds where a field of the record decides it; as the control plane reads it. */
interface TypedConfig {
  /** Nothing for a kind that the family's own schema refuses. */
  readonly schema: v.GenericSchema | undefined;
  /** Further names of fields become the first ones; contradictions are found. Pointers are into the config. */
  readonly normalise?: (config: BundleRecord) => ReturnType<typeof normaliseAiConfig>;
}

const typedConfigs: Readonly<Record<string, (record: BundleRecord) => TypedConfig>> = {
  vaults: ({ driver }) => ({ schema: vaultConfigSchema(driver) }),
  'ai-records': ({ kind }) => ({
    schema: aiConfigSchema(kind),
    normalise: (config) => normaliseAiConfig(kind, config),
  }),
};

const place = '/config';

/** A record with its `config` checked and its defaults filled in, where the family says what is in it. */
export function withCheckedConfig(family: string, record: BundleRecord): CheckedRecord {
  const { schema, normalise } = typedConfigs[family]?.(record) ?? {};
  if (!schema) return { ok: true, values: record };
  const read = v.safeParse(schema, record['config']);
  if (!read.success) return { ok: false, problems: schemaProblems(read.issues, place) };
  const { config, problems } = normalise?.(read.output as BundleRecord) ?? { config: read.output, problems: [] };
  if (problems.length === 0) return { ok: true, values: { ...record, config } };
  return { ok: false, problems: problems.map((one) => ({ ...one, pointer: `${place}${one.pointer}` })) };
}
