import { aiConfigSchema, normaliseAiConfig } from '@portcullis/resources';
import { variableProblems } from '../plugins/variable-references.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { readTypedConfig, type TypedConfig } from '../resources/typed-config.ts';
import type { Values } from '../resources/values.ts';
import { sharingProblems } from './shared-answers.ts';

/** AI records: the kind decides what `config` holds, and other names of fields become the first. Source: spec, AI gateway records. */
export const aiRecordBehaviour: FamilyBehaviour = {
  derive: (values) => ({ ...values, config: read(values).config }),
  check: (values) => [
    ...read(values).problems,
    ...(values['kind'] === 'cache' ? sharingProblems(values['config'], '/config') : []),
    ...variableProblems(values['config'], '/config'),
  ],
  async prepare({ tenantId, values }) {
    const problems = variableProblems(values['config'], '/config', tenantId);
    return problems.length > 0 ? { ok: false, problems } : { ok: true, body: values };
  },
};

function read(values: Values): TypedConfig {
  const { kind } = values;
  return readTypedConfig(aiConfigSchema(kind), values, (config) => normaliseAiConfig(kind, config));
}
