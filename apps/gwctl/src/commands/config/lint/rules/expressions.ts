import { readRoutePath } from '@portcullis/resources';
import type { RoutePathType } from '@portcullis/resources';
import { pathsOf, textOf } from '../linted-bundle.ts';
import type { LintedBundle, LintRecord } from '../linted-bundle.ts';

/** A path of a route that is a regular expression. */
export interface RouteExpression {
  readonly record: LintRecord;
  readonly at: string;
  /** Without a leading `~`. */
  readonly expression: string;
}

/** Every path of the bundle that is a regular expression. */
export function expressionsOf({ records }: LintedBundle): readonly RouteExpression[] {
  return records('routes').flatMap((record) =>
    pathsOf(record.values).flatMap(({ path, at }) => {
      const reading = readRoutePath(path, (textOf(record.values, 'path_type') ?? 'prefix') as RoutePathType);
      return reading.ok && reading.type === 'regex' ? [{ record, at, expression: reading.value }] : [];
    }),
  );
}
