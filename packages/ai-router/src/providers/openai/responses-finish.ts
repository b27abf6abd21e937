import { isJsonObject, type JsonObject } from '../../json.ts';

/**
 * How a response ended, in the words of chats; `undefined` while it has not, or failed.
 * Source: OpenAI API, the response object (`status`, `incomplete_details`).
 */
export function responseFinishReason(response: JsonObject): string | undefined {
  const details = response['incomplete_details'];
  switch (response['status']) {
    case 'incomplete':
      return isJsonObject(details) && details['reason'] === 'content_filter' ? 'content_filter' : 'length';
    case undefined:
    case 'completed':
      return callsTool(response['output']) ? 'tool_calls' : 'stop';
    default:
      return undefined;
  }
}

function callsTool(output: unknown): boolean {
  return Array.isArray(output) && output.some((item) => isJsonObject(item) && item['type'] === 'function_call');
}
