import * as v from 'valibot';
import { CONTENT_TYPE_PATTERN } from '../shared/bodies/content-types.ts';
import { MESSAGE_ROLES } from '../shared/chat/conversation.ts';
import { jsonMap } from '../shared/chat/json-map.ts';
import { choice, configObject, ENTRIES_MAX, flag, text, wholeNumber } from '../shared/config-fields.ts';

/** Characters of one text of a template. */
const TEXT_LENGTH_MAX = 65_536;
const NAME_LENGTH_MAX = 128;
const PROMPT_CHARS_MAX = 16_777_216;

/** Members of a request that say what is asked, which have fields of their own here. */
const NO_DEFAULTS: ReadonlySet<string> = new Set(['messages', 'input', 'prompt', 'metadata']);

/** Config of `ai_prompt_template`. Source: spec, Contract and AI policies. */
export const config = configObject({
  append_messages: messages('Messages after those of the client'),
  content_type: v.optional(
    v.pipe(
      text('Content type that requests have to have (strict_content_type), and that changed ones have', 255),
      v.regex(CONTENT_TYPE_PATTERN, 'must be a content type such as application/json'),
      v.check((type) => !type.includes('*') && !type.startsWith('+'), 'must be one content type'),
    ),
    'application/json',
  ),
  defaults: jsonMap(
    'Members of the request, such as temperature, where the client sets none',
    NO_DEFAULTS,
    'has a field of its own, or is what is asked',
  ),
  fail_on_missing_messages: v.optional(
    flag('Whether requests without messages are refused; else they go on as they are, without the template'),
    true,
  ),
  max_prompt_chars: v.optional(
    wholeNumber(
      'Characters of all texts of the messages together, the template’s too; more are refused',
      1,
      PROMPT_CHARS_MAX,
    ),
  ),
  metadata: jsonMap('Members of the request’s metadata; the client’s own of these names are replaced'),
  model: v.optional(text('Model that is asked, whatever the client names', NAME_LENGTH_MAX)),
  prepend_messages: messages('Messages before those of the client, after system_prompt'),
  status_code: v.optional(
    wholeNumber('Status of refused requests: without messages, too long, or of another content type', 400, 599),
    400,
  ),
  strict_content_type: v.optional(
    flag('Whether requests of another type than content_type are refused; else every body is read as JSON'),
    false,
  ),
  system_prompt: v.optional(text('What the model is told before everything else', TEXT_LENGTH_MAX)),
  user_prefix: v.optional(text('Stands before what the user said last', TEXT_LENGTH_MAX, 0)),
  user_suffix: v.optional(text('Stands after what the user said last', TEXT_LENGTH_MAX, 0)),
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;

function messages(description: string) {
  return v.optional(
    v.pipe(
      v.array(
        configObject({
          role: choice('Who says it', MESSAGE_ROLES),
          content: text('What is said', TEXT_LENGTH_MAX),
        }),
        'must be a list of messages',
      ),
      v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
      v.description(description),
    ),
  );
}
