import type { JsonObject } from '../../json.ts';

/*
 * A chat request of a client, read once: what it means, without the many ways that OpenAI's form has of saying it. Adapters whose provider
 * speaks another form write theirs out of it.
 */

/** Text with more in it than white space. */
export interface ChatText {
  readonly type: 'text';
  readonly text: string;
}

/** Bytes that came with the request. */
export interface ChatData {
  readonly type: 'data';
  readonly kind: 'image' | 'audio' | 'file';
  /** Lower case, without parameters, for instance `image/png`. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  readonly name?: string;
}

/** An image that the provider is to fetch. */
export interface ChatImageUrl {
  readonly type: 'image_url';
  readonly url: string;
}

/** What a message of a user or a tool is made of. */
export type ChatPart = ChatText | ChatData | ChatImageUrl;

/** A call of a tool that the model made. */
export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** What Gemini wants to see again. Source: Gemini API, Thought signatures. */
  readonly thoughtSignature?: string;
}

/** What a tool said. */
export interface ChatToolResult {
  readonly type: 'tool_result';
  readonly callId: string;
  /** Of the tool: from the call that it answers, or as the message itself says. `undefined` when neither is there. */
  readonly name: string | undefined;
  readonly parts: readonly ChatPart[];
}

/** Messages of one side, one after another. Turns of users and models come by turns; none is empty. */
export type ChatTurn =
  | { readonly role: 'user'; readonly parts: readonly (ChatPart | ChatToolResult)[] }
  | { readonly role: 'assistant'; readonly texts: readonly string[]; readonly calls: readonly ChatToolCall[] };

/** A function that the model may call. */
export interface ChatTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema. */
  readonly parameters: JsonObject;
}

/** What the answer's text has to be. */
export type ChatFormat =
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly name: string; readonly schema: JsonObject };

/** See the head of this file. */
export interface ChatRequest {
  /** Texts of all system and developer messages, wherever they stood. */
  readonly system: readonly string[];
  readonly turns: readonly ChatTurn[];
  readonly tools: readonly ChatTool[];
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly parallelToolCalls?: boolean;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stop: readonly string[];
  /** How many answers. */
  readonly choices: number;
  readonly user?: string;
  readonly format?: ChatFormat;
}
