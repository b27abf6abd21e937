import type * as v from 'valibot';

/** One mistake of an input. */
export interface InputIssue {
  /** JSON Pointer from `{config, secrets}`: `/config/region`. */
  readonly pointer: string;
  /** What must hold there. It repeats no value. */
  readonly message: string;
}

/** A schema's issues at their places. */
export function inputIssues(place: 'config' | 'secrets', issues: readonly v.BaseIssue<unknown>[]): InputIssue[] {
  return issues.map(({ path = [], message }) => ({
    pointer: [`/${place}`, ...path.map(({ key }) => escaped(String(key)))].join('/'),
    message,
  }));
}

/** Source: RFC 6901, section 3. */
function escaped(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
