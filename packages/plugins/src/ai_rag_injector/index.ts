import type { Exchange, HookResult, PluginHooks, PluginServices, RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { aiRefusal } from '../shared/chat/ai-refusal.ts';
import {
  CHAT_READING,
  editedRequest,
  readChatRequest,
  type ChatRequest,
  type ReadChatRequest,
} from '../shared/chat/chat-request.ts';
import { Conversation, type AddedPlace } from '../shared/chat/conversation.ts';
import { askService, headerPairs, isAborted, isOutage, ServiceError } from '../shared/chat/json-service.ts';
import { ServiceRest } from '../shared/chat/service-rest.ts';
import { warningTimes } from '../shared/warning-times.ts';
import { unreadRequest } from '../shared/chat/request-fault.ts';
import { config, CONTEXT_PLACE, TENANT_HEADER, type Config } from './config.ts';
import { contextText } from './context-text.ts';

/** Gives models what a retrieval service finds for a question. */
export const aiRagInjector: BuiltIn = builtIn({
  name: 'ai_rag_injector',
  version: '1.0.0',
  category: 'ai',
  triggers: ['before_request'],
  description: 'Asks a retrieval service about what the user said, and adds what it finds to the request',
  config,
  setup(given, services): PluginHooks {
    const retrieve = retrieval(given, services);
    const onFailure = failures(given, services);
    const place = PLACES[given.position];
    const { role, context_template: template, fail_open: failsOpen } = given;
    const rest = new ServiceRest(() => services.clock.monotonicMs());
    const inject = async (exchange: Exchange, signal: AbortSignal): Promise<HookResult<RequestEdits>> => {
      const asked = await question(exchange);
      if (typeof asked === 'object') return unreadRequest(exchange, asked.unread);
      if (asked === '') return undefined;
      if (rest.isOn()) return failsOpen ? undefined : aiRefusal(exchange, NO_CONTEXT);
      let context: string;
      try {
        context = await retrieve(asked, exchange, signal);
        rest.noteSuccess();
      } catch (error) {
        if (isOutage(error)) rest.noteFailure();
        // It answered, only not this question.
        else if (!isAborted(error)) rest.noteSuccess();
        return onFailure(exchange, error);
      }
      if (context === '') return undefined;
      const chat = await readChatRequest(exchange, CHAT_READING);
      const conversation = typeof chat === 'object' ? Conversation.of(chat) : undefined;
      if (typeof chat !== 'object' || conversation === undefined) return undefined;
      const content = template.replaceAll(CONTEXT_PLACE, () => context);
      conversation.add([{ role, content }], place);
      return editedRequest(chat, conversation.edits());
    };
    return {
      request: (exchange) => (exchange.request.hasBody ? inject(exchange, exchange.signal()) : undefined),
    };
  },
});

/**
 * What the user said last; empty where nothing is asked about. The request is read again when there is a context: a parsed body has many times the
 * bytes that a client sent, and none is kept while the service takes its time.
 */
async function question(
  exchange: Exchange,
): Promise<string | { readonly unread: Exclude<ReadChatRequest, ChatRequest> }> {
  const chat = await readChatRequest(exchange, CHAT_READING);
  if (typeof chat !== 'object') return { unread: chat };
  return Conversation.of(chat)?.lastUserText?.trim() ?? '';
}

const PLACES: Readonly<Record<Config['position'], AddedPlace>> = {
  before_user: 'before_user',
  after_system: 'after_system',
  start: 'start',
  prepend: 'start',
  end: 'end',
  append: 'end',
};

/** Characters of the user's text that are asked about: a question stands at the end of what was pasted before it. */
export const QUESTION_LENGTH_MAX = 8192;

/** Asks for the context of a question. Throws `ServiceError` where none can be had. */
function retrieval(
  given: Config,
  { outbound }: PluginServices,
): (question: string, exchange: Exchange, signal: AbortSignal) => Promise<string> {
  const contextOf = contextText(given);
  const { retrieval_url: url, query_field: field, top_k: resultsMax } = given;
  const fixed = headerPairs(given.headers);
  const timeoutMs = Math.ceil(given.timeout_seconds * 1000);
  return async (question, { facts }, signal) => {
    const headers = given.include_tenant_header ? [...fixed, TENANT_HEADER, facts.tenantId] : fixed;
    const body = JSON.stringify({ [field]: question.slice(-QUESTION_LENGTH_MAX), top_k: resultsMax });
    const answer = await askService(outbound, 'the retrieval service', { url, headers, body, timeoutMs, signal });
    const context = contextOf(answer);
    if (context === undefined) throw new ServiceError('the retrieval service', 'no_results_list');
    return context;
  };
}

/** By `fail_open`: the request goes on without context, or is refused. Either way the operator is told, at most once a minute. */
function failures(
  { fail_open: failsOpen }: Config,
  { log, clock }: PluginServices,
): (exchange: Exchange, error: unknown) => HookResult<RequestEdits> {
  const isWarningDue = warningTimes(() => clock.monotonicMs());
  return (exchange, error) => {
    if (!(error instanceof ServiceError)) throw error;
    const details = { reason: error.reason, goes_on: failsOpen, request_id: exchange.facts.requestId };
    if (isWarningDue()) log.warn('no context could be had', details);
    else log.debug('no context could be had', details);
    return failsOpen ? undefined : aiRefusal(exchange, NO_CONTEXT);
  };
}

const NO_CONTEXT = {
  status: 503,
  code: 'retrieval_unavailable',
  message: 'What belongs to this question cannot be looked up now',
} as const;
