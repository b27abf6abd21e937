import type { JsonObject } from '../../json.ts';
import {
  booleanField,
  countField,
  fieldOf,
  numberField,
  objectField,
  objectsField,
  requiredObject,
  requiredString,
  stringField,
  stringsField,
} from '../../providers/chat-form/field.ts';
import { UnsupportedRequestError } from '../../providers/errors.ts';
import { chatMessages } from './message-turns.ts';
import { isStrictSchema } from './strict-schema.ts';

/**
 * A request of Anthropic's Messages API as a chat. Left out, because they only nudge the model: `top_k`, `thinking`, `cache_control`,
 * `service_tier`, `context_management`, `output_config.effort`. Refused, because the answer would not be what was asked for: tools that
 * Anthropic runs, `mcp_servers`, `container`.
 * Source: Anthropic, Messages.
 * @throws UnsupportedRequestError for these, and for wrong types
 */
export function messagesToChat(body: JsonObject): JsonObject {
  for (const name of ['mcp_servers', 'container']) {
    if (fieldOf(body, name) !== undefined) throw new UnsupportedRequestError(`${name} is not known to this model`);
  }
  const maxTokens = countField(body, 'max_tokens');
  const temperature = numberField(body, 'temperature');
  const topP = numberField(body, 'top_p');
  const stop = stringsField(body, 'stop_sequences');
  const user = stringField(objectField(body, 'metadata') ?? {}, 'user_id');
  const tools = objectsField(body, 'tools').map(chatTool);
  return {
    model: stringField(body, 'model'),
    messages: chatMessages(body),
    // Messages always have a limit. OpenAI's newer models know it by one name alone, many compatible servers by the other: adapters choose.
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens, max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stop.length > 0 && { stop }),
    ...(user !== undefined && { user }),
    ...(tools.length > 0 && { tools, ...toolChoice(objectField(body, 'tool_choice')) }),
    ...format(objectField(body, 'output_config')),
    // Messages always tell what they used.
    ...(booleanField(body, 'stream') === true && { stream: true, stream_options: { include_usage: true } }),
  };
}

function chatTool(tool: JsonObject): JsonObject {
  const type = stringField(tool, 'type') ?? 'custom';
  if (type !== 'custom') throw new UnsupportedRequestError('tools that the provider runs are not known to this model');
  const description = stringField(tool, 'description');
  return {
    type: 'function',
    function: {
      name: requiredString(tool, 'name'),
      ...(description !== undefined && { description }),
      parameters: requiredObject(tool, 'input_schema'),
    },
  };
}

function toolChoice(choice: JsonObject | undefined): JsonObject {
  if (choice === undefined) return {};
  const oneByOne = booleanField(choice, 'disable_parallel_tool_use') === true ? { parallel_tool_calls: false } : {};
  switch (stringField(choice, 'type')) {
    case 'auto':
      return { tool_choice: 'auto', ...oneByOne };
    case 'any':
      return { tool_choice: 'required', ...oneByOne };
    case 'none':
      return { tool_choice: 'none' };
    case 'tool':
      return { tool_choice: { type: 'function', function: { name: requiredString(choice, 'name') } }, ...oneByOne };
    default:
      throw new UnsupportedRequestError('tool_choice must be auto, any, tool or none');
  }
}

function format(config: JsonObject | undefined): JsonObject {
  const given = config === undefined ? undefined : objectField(config, 'format');
  if (given === undefined) return {};
  if (stringField(given, 'type') !== 'json_schema')
    throw new UnsupportedRequestError('output_config.format is not known');
  const schema = requiredObject(given, 'schema');
  const strict = isStrictSchema(schema);
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict } } };
}
