import { compileOperation, isMistake, type SaidOperation } from '../shared/json-text/compile-operation.ts';
import type { JsonOperation } from '../shared/json-text/operations.ts';
import type { Config } from './config.ts';

/** The operations of a config in their order: remove, rename, replace, set, add, and then those of `operations`. */
export function operationsOf(settings: Config): readonly JsonOperation[] {
  return saidOperations(settings).map((said) => {
    const compiled = compileOperation(said);
    // The config was checked with the same compiler.
    if (isMistake(compiled)) throw new TypeError('an operation that was checked does not compile');
    return compiled;
  });
}

function saidOperations(settings: Config): readonly SaidOperation[] {
  const { remove = [], remove_fields = [], operations = [] } = settings;
  return [
    ...[...remove, ...remove_fields].map((path): SaidOperation => ({ op: 'remove', path })),
    ...entries(settings.rename, settings.rename_fields).map(([path, to]): SaidOperation => ({
      op: 'rename',
      path,
      to,
    })),
    ...puts('replace', settings.replace, settings.replace_fields),
    ...puts('set', settings.set),
    ...puts('add', settings.add, settings.add_fields),
    ...operations,
  ];
}

type Values = Readonly<Record<string, unknown>> | undefined;

function puts(op: 'replace' | 'set' | 'add', ...fields: readonly Values[]): readonly SaidOperation[] {
  return entries(...fields).map(([path, value]) => ({ op, path, value }));
}

/** Of fields with one meaning: the last counts where several name a path. */
function entries<Value>(...fields: readonly (Readonly<Record<string, Value>> | undefined)[]): [string, Value][] {
  return [...new Map(fields.flatMap((field) => Object.entries(field ?? {})))];
}
