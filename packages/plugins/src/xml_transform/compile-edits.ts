import type { Config } from './config.ts';
import type { XmlEdit } from './edit-xml.ts';
import { compilePath, type XmlPath } from './paths/xml-path.ts';

type Value = string | number | boolean;

/** The edits of a config in their order: remove, rename, replace, set, add, and then the operations as they are listed. */
export function compileEdits(config: Config): readonly XmlEdit[] {
  const { remove = [], remove_fields: removeMore = [] } = config;
  return [
    ...[...remove, ...removeMore].map((path): XmlEdit => ({ op: 'remove', path: checked(path) })),
    ...entries(config.rename, config.rename_fields).map(([path, to]): XmlEdit => ({
      op: 'rename',
      path: checked(path),
      to,
    })),
    ...values('replace', config.replace, config.replace_fields),
    ...values('set', config.set, config.set_fields),
    ...values('add', config.add, config.add_fields),
    ...(config.operations ?? []).map(({ op, path, value, to }): XmlEdit => {
      if (op === 'remove') return { op, path: checked(path) };
      return op === 'rename'
        ? { op, path: checked(path), to: to ?? '' }
        : { op, path: checked(path), value: String(value) };
    }),
  ];
}

function values(
  op: 'replace' | 'set' | 'add',
  first: Readonly<Record<string, Value>> | undefined,
  second: Readonly<Record<string, Value>> | undefined,
): readonly XmlEdit[] {
  return entries(first, second).map(([path, value]) => ({ op, path: checked(path), value: String(value) }));
}

function entries<T>(
  first: Readonly<Record<string, T>> | undefined,
  second: Readonly<Record<string, T>> | undefined,
): readonly (readonly [string, T])[] {
  return Object.entries({ ...first, ...second });
}

/** @throws TypeError for what the config's check would have refused */
function checked(path: string): XmlPath {
  const compiled = compilePath(path);
  if (typeof compiled === 'string') throw new TypeError(compiled);
  return compiled;
}
