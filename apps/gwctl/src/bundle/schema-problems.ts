import type { RecordProblem } from '@portcullis/bundle-diff';
import { problemCode } from '@portcullis/resources';
import type * as v from 'valibot';

/**
 * What a schema finds wrong, with pointers below `place`. No message repeats a value: it may be a secret. Where one of several
 * forms was meant, what is wrong inside it is told rather than that none fits.
 */
export function schemaProblems(issues: readonly v.BaseIssue<unknown>[], place = ''): RecordProblem[] {
  return issues.flatMap((issue) => {
    const steps = (issue.path ?? []).map(({ key }) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'));
    const pointer = [place, ...steps].join('/');
    const inside = issue.type === 'union' ? (issue.issues ?? []).filter(isAboutContent) : [];
    return inside.length > 0 ? schemaProblems(inside, pointer) : [problemOf(issue, pointer)];
  });
}

function isAboutContent({ path, kind }: v.BaseIssue<unknown>): boolean {
  return path !== undefined || kind !== 'schema';
}

function problemOf(issue: v.BaseIssue<unknown>, pointer: string): RecordProblem {
  if (issue.expected === 'never') return { pointer, code: 'unknown_field', message: 'is not a known field' };
  if (issue.received === 'undefined') return { pointer, code: 'required', message: 'is required' };
  // The library's own messages repeat the value; messages of the schemas do not.
  const isOwn = !/^Invalid [^:]+: /.test(issue.message);
  const message = isOwn ? issue.message : issue.expected === null ? 'is invalid' : `must be ${issue.expected}`;
  return { pointer, code: problemCode(issue), message };
}
