import * as v from 'valibot';
import { answerBytes } from '../shared/chat/answer-bytes.ts';
import { jsonMap } from '../shared/chat/json-map.ts';
import { configObject, ENTRIES_MAX, flag, text, writtenHeaderName } from '../shared/config-fields.ts';
import { requireOneOf } from '../shared/config-rules.ts';

/** Characters of what is put before, behind or in place of a text. */
const TEXT_LENGTH_MAX = 8192;
const SOUGHT_LENGTH_MAX = 1024;

const sought = text('A text that is replaced wherever it stands', SOUGHT_LENGTH_MAX);
const replacement = text('What stands there then', TEXT_LENGTH_MAX, 0);

const fields = configObject({
  header_name: v.optional(writtenHeaderName('Header of answers that were changed; its value is `true`')),
  max_body_bytes: answerBytes('Longest answer that is read, as sent and decoded, in bytes'),
  metadata: jsonMap(
    'Members of the answer’s metadata, of a stream that of its first event; those there of these names are replaced',
  ),
  prefix: v.optional(text('Stands before each text of the answer', TEXT_LENGTH_MAX, 0)),
  replacements: v.optional(
    v.pipe(
      v.union(
        [
          v.pipe(
            v.array(configObject({ from: sought, to: replacement }), 'must be a list'),
            v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
          ),
          v.pipe(
            v.record(sought, replacement, 'must be a map'),
            v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
          ),
        ],
        'must be a map from text to text, or a list of objects with from and to',
      ),
      v.description(
        'Texts that are replaced, one after the other, letter by letter: a map, or a list with from and to',
      ),
    ),
  ),
  strict: v.optional(
    flag('Whether answers that should be changed and cannot be read are refused with 502; else they go on as they are'),
    false,
  ),
  suffix: v.optional(text('Stands after each text of the answer', TEXT_LENGTH_MAX, 0)),
});

/** Config of `ai_response_transformer`. Source: spec, Contract and AI policies. */
export const config = requireOneOf(fields, ['header_name', 'metadata', 'prefix', 'replacements', 'suffix']);

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

/** Replacements in their order, whatever form they have. */
export function replacementsOf({ replacements = [] }: Config): readonly (readonly [from: string, to: string])[] {
  return Array.isArray(replacements)
    ? replacements.map(({ from, to }) => [from, to] as const)
    : Object.entries(replacements);
}
