/** What all peers of the AI scenario are asked to do, so that each does the same. */

/** How a client wants the answer. */
export type AnswerKind = 'json' | 'stream';

/** Both, in the order of reports. */
export const answerKinds: readonly AnswerKind[] = ['json', 'stream'];

/** What clients call the model, and what the provider calls it. */
export const models = { public: 'bench-chat', upstream: 'provider-chat-1' } as const;

/** Where chats are asked for, below the prefix of a peer. */
export const chatPath = '/v1/chat/completions';

/** Events of a streamed answer that hold text; usage and the end follow. */
export const streamEvents = 20;

/** A chat of about 500 bytes, as a client sends it. */
export function chatRequest(kind: AnswerKind): string {
  const question = 'How do tides come about, and why are there two of them on most days? '.repeat(4);
  return JSON.stringify({
    model: models.public,
    messages: [
      { role: 'system', content: 'You answer in two sentences.' },
      { role: 'user', content: question },
    ],
    temperature: 0.2,
    max_tokens: 200,
    ...(kind === 'stream' ? { stream: true, stream_options: { include_usage: true } } : {}),
  });
}
