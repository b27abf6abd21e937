import * as v from 'valibot';
import type { BodyDescription, QueryParameter } from '../http/operation.ts';
import { choiceParameter } from '../http/query-parameters.ts';

/** Under which the API description lists the operations. */
export const configurationTag = 'configuration';

/** Source: decisions, 15. */
const bundleBytesMax = 64 * 1024 * 1024;

/** The body of every operation that takes a bundle. */
export const bundleBody: BodyDescription = {
  schema: v.pipe(v.looseObject({ tenant_id: v.string() }), v.title('Bundle')),
  bytesMax: bundleBytesMax,
  format: 'json_or_yaml',
  validatedByHandler: true,
};

/** Form of the body when its media type does not say it. */
export const formatParameter: QueryParameter = choiceParameter(
  'format',
  'Form of body and answer when no header says it.',
  ['json', 'yaml'],
);

/** An option that is on or off, as `isOn` reads it. */
export function flag(name: string, fallback: boolean, description: string): QueryParameter {
  const words = ['true', 'false'] as const;
  return choiceParameter(name, `${description}; default ${fallback}.`, words, fallback ? 'true' : 'false');
}
