import * as v from 'valibot';
import { ENTRIES_MAX, configObject, text } from './config-fields.ts';
import { TOO_LONG_VALUES, isOfFairLength } from './json-field-maps.ts';
import { compileOperation, isMistake, type SaidOperation } from './json-text/compile-operation.ts';
import { chainedRenames } from './json-text/chained-renames.ts';
import { JSON_PATH_LENGTH_MAX } from './json-text/json-path.ts';

/** A list of JSON paths to what is removed, or what takes their place. @param op what the paths are for */
export function jsonPaths(description: string, op: 'remove' | 'replace') {
  return v.pipe(
    v.array(
      jsonPath((path) => ({ op, path, value: null })),
      'must be a list of JSON paths',
    ),
    v.minLength(1, 'must not be empty'),
    v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.description(description),
  );
}

/** A map from JSON path to value. @param op what the values are for */
export function jsonValues(description: string, op: 'replace' | 'set' | 'add') {
  return v.pipe(
    v.record(
      jsonPath((path) => ({ op, path, value: null })),
      v.unknown(),
      'must be a map from JSON path to value',
    ),
    v.minEntries(1, 'must not be empty'),
    v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.check((values) => isOfFairLength(values), TOO_LONG_VALUES),
    v.description(description),
  );
}

const CHAINED = 'has a new place that another entry renames: maps have no order, so write operations';

/** A map from JSON path to new name, or to the path of a new place. */
export function jsonRenames(description: string) {
  return v.pipe(
    v.record(
      text('JSON path', JSON_PATH_LENGTH_MAX),
      text('New name, or JSON path', JSON_PATH_LENGTH_MAX),
      'must be a map from JSON path to new name',
    ),
    v.minEntries(1, 'must not be empty'),
    v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const input = dataset.value;
      for (const [key, value] of Object.entries(input)) {
        const compiled = compileOperation({ op: 'rename', path: key, to: value });
        if (isMistake(compiled)) {
          addIssue({ message: compiled.message, path: [{ type: 'object', origin: 'value', input, key, value }] });
        }
      }
      for (const key of chainedRenames(input)) {
        addIssue({ message: CHAINED, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] });
      }
    }),
    v.description(description),
  );
}

/** A list of operations, applied in turn. */
export function jsonOperations(description: string) {
  return v.pipe(
    v.array(operation, 'must be a list of operations'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    v.check((operations) => isOfFairLength(operations), TOO_LONG_VALUES),
    v.description(description),
  );
}

/** What may be done, as an entry of `operations` says it. */
const OPS = ['remove', 'rename', 'move', 'copy', 'replace', 'set', 'add'] as const;

const operation = v.pipe(
  configObject({
    op: v.picklist(OPS, `must be one of ${OPS.join(', ')}`),
    path: text('JSON path', JSON_PATH_LENGTH_MAX),
    value: v.optional(v.unknown()),
    to: v.optional(text('New name for rename; JSON path of one place for rename, move and copy', JSON_PATH_LENGTH_MAX)),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    const compiled = compileOperation(input);
    if (!isMistake(compiled)) return;
    const { field: key, message } = compiled;
    addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] });
  }),
);

function jsonPath(operationOf: (path: string) => SaidOperation) {
  return v.pipe(
    text('JSON path', JSON_PATH_LENGTH_MAX),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const compiled = compileOperation(operationOf(dataset.value));
      if (isMistake(compiled)) addIssue({ message: compiled.message });
    }),
  );
}
