import type { FieldProblem } from '../http/problem.ts';
import { isValues } from '../resources/values.ts';

/**
 * Whether the operator lets tenants share cached answers. Of the process's environment, which its threads have, too: records are checked in all of
 * them. Source: decisions, 22.
 */
const isShared = process.env['PORTCULLIS_AI_SHARED_CACHE'] === 'on';

/**
 * What is wrong with a cache whose answers tenants would share.
 * @param cache its config, whatever it is
 * @param place where it stands in the record
 */
export function sharingProblems(cache: unknown, place: string, mayShare: boolean = isShared): readonly FieldProblem[] {
  if (mayShare || !isValues(cache) || cache['vary_by_tenant'] !== false) return [];
  const message = 'must be true: the operator does not let tenants share answers';
  return [{ pointer: `${place}/vary_by_tenant`, code: 'not_allowed', message }];
}

/** The same of a plugin's config: `ai_proxy` may have a cache of its own. */
export function pluginSharingProblems(name: unknown, config: unknown, place: string): readonly FieldProblem[] {
  if (name !== 'ai_proxy' || !isValues(config)) return [];
  return sharingProblems(config['semantic_cache'], `${place}/semantic_cache`);
}
