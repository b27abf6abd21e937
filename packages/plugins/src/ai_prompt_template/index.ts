import type { Exchange, HeaderEdit, HookResult, PluginHooks, RequestEdits } from '@portcullis/plugin-runtime';
import { saidType } from '../shared/bodies/content-types.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { aiRefusal } from '../shared/chat/ai-refusal.ts';
import {
  CHAT_READING,
  editedRequest,
  readChatRequest,
  rewrittenRequest,
  type ChatRequest,
} from '../shared/chat/chat-request.ts';
import { operationOfPath } from '../shared/chat/asked-operation.ts';
import { unreadRequest } from '../shared/chat/request-fault.ts';
import { config } from './config.ts';
import { promptTemplate } from './prompt-template.ts';

/** Puts what an operator wants said into requests to models. */
export const aiPromptTemplate: BuiltIn = builtIn({
  name: 'ai_prompt_template',
  version: '1.0.0',
  category: 'ai',
  triggers: ['before_request'],
  description: 'Adds messages and settings to requests for chats, and bounds how long their prompts are',
  config,
  setup(given, { log }): PluginHooks {
    const { status_code: status, content_type: contentType, fail_on_missing_messages: needsMessages } = given;
    const isStrict = given.strict_content_type;
    const apply = promptTemplate(given);
    const refuse = (exchange: Exchange, reason: keyof typeof MESSAGES): HookResult<RequestEdits> => {
      log.debug('refused a request', { reason, request_id: exchange.facts.requestId });
      return aiRefusal(exchange, { status, code: 'invalid_request_error', message: MESSAGES[reason] });
    };
    const typeEdits = headerOfType(contentType);
    const applied = async (
      exchange: Exchange,
      chat: ChatRequest,
      isOfType: boolean,
    ): Promise<HookResult<RequestEdits>> => {
      const edits = apply(chat);
      if (edits === 'too_long') return refuse(exchange, edits);
      if (edits === 'missing_messages') return needsMessages ? refuse(exchange, edits) : undefined;
      // What was counted is what goes on: readers differ in what a name that stands twice means.
      if (edits.length === 0) return chat.isAmbiguous ? rewrittenRequest(chat) : undefined;
      const edited = await editedRequest(chat, edits);
      return isOfType ? edited : { ...edited, headers: [...(edited.headers ?? []), ...typeEdits] };
    };
    const change = async (exchange: Exchange): Promise<HookResult<RequestEdits>> => {
      const { request } = exchange;
      const isOfType = saidType(request.headers.get('content-type')).type === contentType.toLowerCase();
      if (isStrict && request.hasBody && !isOfType) return refuse(exchange, 'content_type');
      const chat = await readChatRequest(exchange, CHAT_READING);
      if (typeof chat === 'object') return applied(exchange, chat, isOfType);
      return unreadRequest(exchange, chat) ?? (needsMessages ? refuse(exchange, 'missing_messages') : undefined);
    };
    return {
      request(exchange) {
        const { request } = exchange;
        // Lists of models are asked for on the same paths; vectors are asked for without messages.
        if (!WITH_BODY.has(request.method) || operationOfPath(request) === 'embeddings') return undefined;
        return change(exchange);
      },
    };
  },
});

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const MESSAGES = {
  content_type: 'The request has another content type than this route takes',
  missing_messages: 'The request has no messages',
  too_long: 'The prompt is too long',
} as const;

function headerOfType(value: string): readonly HeaderEdit[] {
  return Object.freeze([Object.freeze({ op: 'set', name: 'content-type', value } as const)]);
}
