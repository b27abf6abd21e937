import { builtInPlugins } from '@portcullis/plugins';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { bodyCases, orderSchema, orderSpecOf, patternedOrderSchema } from './body-cases.ts';
import { caseRun } from './case-run.ts';
import type { Contender } from './contender.ts';
import { emptyPlugin } from './plugin-cases.ts';
import { jsonBytes, orderOf } from './sample-bodies.ts';

const requests = 500;

/**
 * Plugins that read bodies beside the least that reading them takes: the same bytes parsed and written, or parsed and held against a compiled
 * schema. `body_read` is a request whose plugin does nothing, beside which they are compared.
 */
export function bodyContenders(): readonly (readonly [string, Contender])[] {
  const large = jsonBytes(orderOf(10_240));
  const small = jsonBytes(orderOf(1024));
  const validate = new Ajv2020({ strict: false }).compile(orderSchema);
  const validatePatterns = new Ajv2020({ strict: false }).compile(patternedOrderSchema);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return [
    ['json_transform_10k', plugin('json_transform')],
    ['json_parse_stringify_10k', alone(() => encoder.encode(JSON.stringify(JSON.parse(decoder.decode(large)))))],
    ['oas_validation_1k', plugin('oas_validation')],
    ['ajv_compiled_1k', alone(() => mustBeTrue(validate(JSON.parse(decoder.decode(small)))))],
    ['oas_validation_patterns_1k', plugin('oas_validation', { spec: orderSpecOf(patternedOrderSchema) })],
    ['ajv_patterns_1k', alone(() => mustBeTrue(validatePatterns(JSON.parse(decoder.decode(small)))))],
    ['ai_response_guard_10k', plugin('ai_response_guard')],
    ['empty_whole', alone(caseRun({ plugin: emptyPlugin, config: {}, headers: [], isWhole: true }))],
  ];
}

/** @param config in place of the case's own */
function plugin(name: string, config?: object): Contender {
  const found = builtInPlugins.find((one) => one.name === name);
  const parts = bodyCases[name]?.();
  if (found === undefined || parts === undefined) throw new Error(`there is no case of ${name}`);
  const run = caseRun({ plugin: found, ...parts, ...(config && { config }) });
  return alone(async () => mustBeTrue((await run()) === 'continue'));
}

function alone(run: () => unknown): Contender {
  return { run: () => run(), requests };
}

function mustBeTrue(isTrue: boolean): void {
  if (!isTrue) throw new Error('a body was refused');
}
