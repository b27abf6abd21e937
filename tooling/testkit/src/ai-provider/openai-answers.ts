import type { AiProviderPlan } from './ai-provider-plan.ts';

/** What a fake OpenAI says. Only what is given differs. */
export interface ChatSaying {
  readonly text?: string;
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Default: usage is told. */
  readonly withUsage?: boolean;
  readonly toolCall?: { readonly name: string; readonly arguments: string };
}

const ID = 'chatcmpl-fake';
const CREATED = 1_700_000_000;

/** A whole chat completion. */
export function chatAnswer(saying: ChatSaying = {}): AiProviderPlan {
  const { text = 'Hello there', model = 'fake-model', withUsage = true, toolCall } = saying;
  const message =
    toolCall === undefined
      ? { role: 'assistant', content: text, refusal: null }
      : { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: toolCall }] };
  const choice = { index: 0, message, logprobs: null, finish_reason: toolCall === undefined ? 'stop' : 'tool_calls' };
  const body = { id: ID, object: 'chat.completion', created: CREATED, model, choices: [choice] };
  return { kind: 'json', body: withUsage ? { ...body, usage: usageOf(saying) } : body };
}

/** The frames of a chat completion that streams, one word a chunk, `[DONE]` at its end. */
export function chatFrames(saying: ChatSaying = {}): readonly string[] {
  const { text = 'Hello there', model = 'fake-model', withUsage = true, toolCall } = saying;
  const head = { id: ID, object: 'chat.completion.chunk', created: CREATED, model };
  const chunk = (delta: object, finish: string | null = null): string =>
    frame({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  const said =
    toolCall === undefined ? wordsOf(text).map((content) => chunk({ content })) : toolChunks(toolCall, chunk);
  return [
    chunk({ role: 'assistant', content: toolCall === undefined ? '' : null }),
    ...said,
    chunk({}, toolCall === undefined ? 'stop' : 'tool_calls'),
    ...(withUsage ? [frame({ ...head, choices: [], usage: usageOf(saying) })] : []),
    'data: [DONE]\n\n',
  ];
}

/** Such a stream as a plan. */
export function chatStream(saying: ChatSaying = {}): AiProviderPlan {
  return { kind: 'stream', parts: chatFrames(saying) };
}

/** An error as OpenAI tells it. */
export function openAiError(
  status: number,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): AiProviderPlan {
  return { kind: 'json', status, headers, body: { error: { message: `fake ${type}`, type, param: null, code: type } } };
}

/** One frame of server-sent events. */
export function frame(data: unknown, event?: string): string {
  const line = `data: ${JSON.stringify(data)}\n\n`;
  return event === undefined ? line : `event: ${event}\n${line}`;
}

/** A text in pieces that make it up. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

function toolChunks(
  { name, arguments: given }: { readonly name: string; readonly arguments: string },
  chunk: (delta: object) => string,
): readonly string[] {
  const middle = Math.ceil(given.length / 2);
  const call = (part: object): string => chunk({ tool_calls: [{ index: 0, ...part }] });
  return [
    call({ id: 'call_1', type: 'function', function: { name, arguments: '' } }),
    call({ function: { arguments: given.slice(0, middle) } }),
    call({ function: { arguments: given.slice(middle) } }),
  ];
}

function usageOf({ inputTokens = 9, outputTokens = 12 }: ChatSaying): object {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}
