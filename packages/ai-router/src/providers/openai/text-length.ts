import { isJsonObject } from '../../json.ts';

/** Names under which a message or a piece of one holds what the model wrote. */
const WRITTEN = ['content', 'reasoning_content', 'reasoning', 'refusal', 'text', 'thinking', 'arguments'] as const;

/** Choices, a choice, its message, calls, a call, its function. */
const LEVELS_MAX = 8;

/**
 * Characters that the model wrote in messages, choices, pieces of them, or lists of these: texts, refusals, reasoning and arguments of
 * tools. For estimates only. Deeper than a message goes is not looked.
 */
export function textLengthOf(value: unknown, depth: number = LEVELS_MAX): number {
  if (depth === 0) return 0;
  if (Array.isArray(value)) {
    let sum = 0;
    for (const item of value) sum += textLengthOf(item, depth - 1);
    return sum;
  }
  if (!isJsonObject(value)) return 0;
  let sum = 0;
  for (const name of WRITTEN) {
    const written = value[name];
    if (typeof written === 'string') sum += written.length;
    else if (written !== undefined) sum += textLengthOf(written, depth - 1);
  }
  for (const name of ['message', 'delta', 'tool_calls', 'function', 'function_call'] as const) {
    if (value[name] !== undefined) sum += textLengthOf(value[name], depth - 1);
  }
  return sum;
}
