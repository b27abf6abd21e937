import type { JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../errors.ts';
import type { ChatFormat, ChatRequest, ChatTool } from './chat-request.ts';
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
} from './field.ts';
import { readChatTurns } from './read-chat-turns.ts';

/**
 * What a chat request means. What changes the shape of the answer and has no place in other forms is refused; what only nudges the model
 * (`seed`, penalties, `logit_bias`, `reasoning_effort`, `verbosity`, `service_tier`, `strict`) is left out.
 * @throws UnsupportedRequestError for wrong types, and for `logprobs`, `audio`, `functions` and tools that are no functions
 */
export function readChatRequest(body: JsonObject): ChatRequest {
  refuseOthers(body);
  const maxTokens = countField(body, 'max_completion_tokens') ?? countField(body, 'max_tokens');
  const temperature = numberField(body, 'temperature');
  const topP = numberField(body, 'top_p');
  const user = stringField(body, 'user');
  const parallelToolCalls = booleanField(body, 'parallel_tool_calls');
  const toolChoice = readToolChoice(fieldOf(body, 'tool_choice'));
  const format = readFormat(objectField(body, 'response_format'));
  return {
    ...readChatTurns(body),
    tools: objectsField(body, 'tools').map(readTool),
    stop: stringsField(body, 'stop').filter((stop) => stop !== ''),
    choices: countField(body, 'n') ?? 1,
    ...(maxTokens !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(user !== undefined && { user }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(format !== undefined && { format }),
  };
}

function refuseOthers(body: JsonObject): void {
  if (booleanField(body, 'logprobs') === true)
    throw new UnsupportedRequestError('logprobs are not given by this provider');
  for (const name of ['audio', 'functions', 'function_call', 'web_search_options']) {
    if (fieldOf(body, name) !== undefined) throw new UnsupportedRequestError(`${name} is not known to this provider`);
  }
  if (stringsField(body, 'modalities').some((modality) => modality !== 'text')) {
    throw new UnsupportedRequestError('this provider answers with text alone');
  }
}

function readTool(tool: JsonObject): ChatTool {
  if (stringField(tool, 'type') !== 'function')
    throw new UnsupportedRequestError('only tools of type function are known');
  const given = requiredObject(tool, 'function');
  const description = stringField(given, 'description');
  return {
    name: requiredString(given, 'name'),
    parameters: objectField(given, 'parameters') ?? { type: 'object', properties: {} },
    ...(description !== undefined && { description }),
  };
}

function readToolChoice(choice: unknown): ChatRequest['toolChoice'] {
  if (choice === undefined || choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const named = objectField({ tool_choice: choice }, 'tool_choice') ?? {};
  if (stringField(named, 'type') !== 'function') throw new UnsupportedRequestError('tool_choice must name a function');
  return { name: requiredString(requiredObject(named, 'function'), 'name') };
}

function readFormat(format: JsonObject | undefined): ChatFormat | undefined {
  if (format === undefined) return undefined;
  switch (stringField(format, 'type')) {
    case 'text':
      return undefined;
    case 'json_object':
      return { type: 'json_object' };
    case 'json_schema': {
      const given = requiredObject(format, 'json_schema');
      return {
        type: 'json_schema',
        name: requiredString(given, 'name'),
        schema: objectField(given, 'schema') ?? { type: 'object' },
      };
    }
    default:
      throw new UnsupportedRequestError('response_format is of a type that is not known');
  }
}
