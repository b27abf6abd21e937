import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { FieldProblem } from '../http/problem.ts';
import { isValues } from '../resources/values.ts';

const NAME = 'portcullis.sharesAiAnswers';

/**
 * Says for this process, and for all threads that it begins from now on, whether the operator lets tenants share cached answers: records are checked in
 * threads, too. Source: decisions, 22.
 */
export function allowSharedAnswers(mayShare: boolean): void {
  setEnvironmentData(NAME, mayShare);
}

function maySharePerOperator(): boolean {
  return getEnvironmentData(NAME) === true;
}

/**
 * What is wrong with a cache whose answers tenants would share.
 * @param cache its config, whatever it is
 * @param place where it stands in the record
 */
export function sharingProblems(
  cache: unknown,
  place: string,
  mayShare: boolean = maySharePerOperator(),
): readonly FieldProblem[] {
  if (mayShare || !isValues(cache) || cache['vary_by_tenant'] !== false) return [];
  const message = 'must be true: the operator does not let tenants share answers';
  return [{ pointer: `${place}/vary_by_tenant`, code: 'not_allowed', message }];
}

/** The same of a plugin's config: `ai_proxy` may have a cache of its own. */
export function pluginSharingProblems(name: unknown, config: unknown, place: string): readonly FieldProblem[] {
  if (name !== 'ai_proxy' || !isValues(config)) return [];
  return sharingProblems(config['semantic_cache'], `${place}/semantic_cache`);
}
