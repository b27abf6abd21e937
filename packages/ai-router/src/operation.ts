/**
 * What a client asks for, and in whose words: OpenAI's chat completions, completions, embeddings and responses, Anthropic's messages. The
 * form of requests, answers and stream events is named after it everywhere in this package.
 */
export type AiOperation = 'chat' | 'completions' | 'embeddings' | 'responses' | 'messages';
