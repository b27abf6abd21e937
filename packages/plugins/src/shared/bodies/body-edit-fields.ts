import * as v from 'valibot';
import { flag } from '../config-fields.ts';
import { contentTypes, maxBodyBytes, target } from './body-fields.ts';

/** Fields that say what is edited in bodies, of all plugins that edit them by paths: one has to be there. */
export const BODY_EDITS = [
  ...(['add', 'add_fields', 'operations', 'remove', 'remove_fields'] as const),
  ...(['rename', 'rename_fields', 'replace', 'replace_fields', 'set'] as const),
] as const;

/**
 * Fields that say which bodies are edited.
 * @param form what they have to be: `JSON`
 * @param types of bodies that are edited when the config says none
 */
export function editedBodies(form: string, types: readonly string[]) {
  return {
    target: v.optional(target('Whose bodies are edited, of the messages that the trigger reaches'), 'both'),
    content_types: contentTypes('Content types of bodies that are edited', types),
    max_body_bytes: maxBodyBytes('Bytes of the largest body that is edited, as sent and decoded'),
    strict: v.optional(
      flag(`Whether a body that cannot be read as ${form} is refused; else it goes on as it came`),
      false,
    ),
  };
}
