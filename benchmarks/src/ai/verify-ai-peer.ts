import { answerKinds, chatRequest, models, streamEvents } from './ai-terms.ts';

/** The request of a peer's client. */
export interface AiOrder {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
}

/** The body that a peer's client sends. */
export function bodyFor(kind: 'json' | 'stream', model: string): string {
  return chatRequest(kind).replace(JSON.stringify(models.public), JSON.stringify(model));
}

/**
 * Looks whether a peer answers chats, whole and streamed, before anything is measured.
 * @throws Error that says what it does not do
 */
export async function verifyAiPeer(name: string, { port, path, headers, model }: AiOrder): Promise<void> {
  for (const kind of answerKinds) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: bodyFor(kind, model),
    });
    const text = await answer.text();
    const isWhole =
      kind === 'json'
        ? (JSON.parse(text) as { usage?: { total_tokens?: number } }).usage?.total_tokens === 130
        : text.includes(`word${streamEvents - 1}`) && text.includes('"total_tokens":130') && text.includes('[DONE]');
    if (answer.status === 200 && isWhole) continue;
    throw new Error(`${name} (${kind}) is not measured: it answers ${answer.status}: ${text.slice(0, 300)}`);
  }
}
