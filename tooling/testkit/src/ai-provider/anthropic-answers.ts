import type { AiProviderPlan } from './ai-provider-plan.ts';
import { frame, wordsOf } from './openai-answers.ts';

/** What a fake Anthropic says. Only what is given differs. */
export interface MessageSaying {
  readonly text?: string;
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly toolUse?: { readonly name: string; readonly input: object };
}

/** A whole message. */
export function messageAnswer(saying: MessageSaying = {}): AiProviderPlan {
  const { text = 'Hello there', toolUse, outputTokens = 12 } = saying;
  const content = toolUse === undefined ? { type: 'text', text } : { type: 'tool_use', id: 'toolu_1', ...toolUse };
  const stop_reason = toolUse === undefined ? 'end_turn' : 'tool_use';
  return { kind: 'json', body: { ...head(saying, outputTokens), content: [content], stop_reason } };
}

/** The frames of a message that streams, one word a delta, `message_stop` at its end. */
export function messageFrames(saying: MessageSaying = {}): readonly string[] {
  const { text = 'Hello there', toolUse, outputTokens = 12 } = saying;
  const delta = (part: object): string =>
    frame({ type: 'content_block_delta', index: 0, delta: part }, 'content_block_delta');
  const block =
    toolUse === undefined
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: 'toolu_1', name: toolUse.name, input: {} };
  const said =
    toolUse === undefined
      ? wordsOf(text).map((word) => delta({ type: 'text_delta', text: word }))
      : halves(JSON.stringify(toolUse.input)).map((part) => delta({ type: 'input_json_delta', partial_json: part }));
  const end = { stop_reason: toolUse === undefined ? 'end_turn' : 'tool_use', stop_sequence: null };
  return [
    frame({ type: 'message_start', message: head(saying, 1) }, 'message_start'),
    frame({ type: 'content_block_start', index: 0, content_block: block }, 'content_block_start'),
    frame({ type: 'ping' }, 'ping'),
    ...said,
    frame({ type: 'content_block_stop', index: 0 }, 'content_block_stop'),
    frame({ type: 'message_delta', delta: end, usage: { output_tokens: outputTokens } }, 'message_delta'),
    frame({ type: 'message_stop' }, 'message_stop'),
  ];
}

/** Such a stream as a plan. */
export function messageStream(saying: MessageSaying = {}): AiProviderPlan {
  return { kind: 'stream', parts: messageFrames(saying) };
}

/** An error within a stream, as Anthropic tells that it has too much to do. */
export const overloadedFrame: string = frame(
  { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  'error',
);

function head({ model = 'fake-claude', inputTokens = 9 }: MessageSaying, outputTokens: number): object {
  const usage = { input_tokens: inputTokens, output_tokens: outputTokens };
  const about = { id: 'msg_fake', type: 'message', role: 'assistant', model };
  return { ...about, content: [], stop_reason: null, stop_sequence: null, usage };
}

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
