import { isJsonObject } from '@portcullis/ai-router';
import type {
  HookResult,
  PluginHooks,
  PluginServices,
  ResponseEdits,
  ResponseExchange,
} from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { aiRefusal } from '../shared/chat/ai-refusal.ts';
import { guardFigures } from '../shared/chat/guard-figures.ts';
import { CHAT_READING, readChatRequest } from '../shared/chat/chat-request.ts';
import { Conversation } from '../shared/chat/conversation.ts';
import { askService, headerPairs } from '../shared/chat/json-service.ts';
import { serviceFailures } from '../shared/chat/open-failures.ts';
import { ANSWER_TYPES, answerReading, passedAnswer, readAnswer, unjudgedAnswer } from '../shared/chat/read-answer.ts';
import { secretReader } from '../shared/chat/service-secret.ts';
import type { AnswerDocument } from '../shared/chat/answer-document.ts';
import { toldTexts } from '../shared/chat/told-texts.ts';
import { config, type Config } from './config.ts';
import { judgementReader, type Judgement } from './judgement.ts';
import { judgementHeaders } from './judgement-headers.ts';
import { judgeQuestion, RESPONSE_LENGTH_MAX, type JudgedAnswer } from './question.ts';

/** Lets answers of models pass that another model approves of. */
export const llmAsJudge: BuiltIn = builtIn({
  name: 'llm_as_judge',
  version: '1.0.0',
  category: 'enforcement',
  triggers: ['after_response', 'both', 'request_response'],
  description: 'Asks a judge about each answer of a model, and blocks or marks what does not pass',
  config,
  setup(given, services): PluginHooks {
    const { action, fail_open: failsOpen, status_code: status } = given;
    const { instance, log } = services;
    const promptKey = `llm_as_judge:${instance.id}`;
    const reading = answerReading(ANSWER_TYPES, given.max_body_bytes);
    const ask = judge(given, services);
    const figures = guardFigures(services);
    const failures = serviceFailures(services, failsOpen, 'the judge');
    const judged = async (exchange: ResponseExchange, signal: AbortSignal): Promise<HookResult<ResponseEdits>> => {
      const answer = await readAnswer(exchange, reading);
      if (answer === undefined) return undefined;
      const response = typeof answer === 'string' ? undefined : judgedText(answer.document);
      if (typeof answer === 'string' || response === undefined) {
        const fault = typeof answer === 'string' ? answer : 'too_large';
        if (!failsOpen) return unjudgedAnswer(exchange, { log, figures }, fault);
        failures.unjudged(exchange, `answer_${fault}`);
        return undefined;
      }
      // Vectors, and answers that say nothing.
      if (response.trim() === '') return undefined;
      if (isBodilessGet(exchange) && isModelList(answer.document)) return undefined;
      const prompt = exchange.state.get(promptKey);
      const judgement = await failures.ask(exchange, () =>
        ask({ prompt: typeof prompt === 'string' ? prompt : undefined, response }, signal),
      );
      if (judgement === 'goes_on') return undefined;
      if (judgement === 'refused') {
        return aiRefusal(exchange, UNAVAILABLE, exchange.response.headers, answer.document.form);
      }
      if (action === 'annotate') return { headers: judgementHeaders(judgement) };
      if (judgement.passes) return passedAnswer(exchange, answer);
      figures.blocked();
      log.debug('blocked an answer', { request_id: exchange.facts.requestId });
      return aiRefusal(exchange, { status, ...BLOCKED }, exchange.response.headers, answer.document.form);
    };
    return {
      request: (exchange) => (exchange.request.hasBody ? keepPrompt(exchange, promptKey) : undefined),
      response: (exchange) => {
        const { source, status: answered } = exchange.response;
        // Errors have no text of a model.
        if (source === 'gateway' || answered < 200 || answered > 299) return undefined;
        return judged(exchange, exchange.signal());
      },
    };
  },
});

const UNAVAILABLE = {
  status: 503,
  code: 'judge_unavailable',
  message: 'The answer cannot be judged now, and must not be sent unjudged',
} as const;
const BLOCKED = { code: 'content_blocked', message: 'The answer was not approved by a judge' } as const;

/** What the judge is asked about; `undefined` for more than it is. */
function judgedText(document: AnswerDocument): string | undefined {
  const response = toldTexts(document)?.join('\n');
  return response === undefined || response.length > RESPONSE_LENGTH_MAX ? undefined : response;
}

/** What a model wrote may be fetched later by GET, and some services read a body with it: the method alone says nothing. */
function isBodilessGet({ request }: ResponseExchange): boolean {
  return request.method === 'GET' && !request.hasBody;
}

/** Lists of models say nothing that a model wrote. */
function isModelList({ form, values: [value] }: AnswerDocument): boolean {
  const list = form === undefined ? value?.['data'] : undefined;
  return (
    Array.isArray(list) &&
    list.every((one) => isJsonObject(one) && (one['object'] === 'model' || one['type'] === 'model'))
  );
}

/** Remembers what the user asked, so that the judge knows it, too. What cannot be read is for others to refuse. */
async function keepPrompt(
  exchange: Parameters<NonNullable<PluginHooks['request']>>[0],
  key: string,
): Promise<undefined> {
  const chat = await readChatRequest(exchange, CHAT_READING);
  const prompt = typeof chat === 'object' ? Conversation.of(chat)?.lastUserText : undefined;
  if (prompt !== undefined) exchange.state.set(key, prompt);
}

function judge(
  given: Config,
  { outbound, secrets }: PluginServices,
): (answer: JudgedAnswer, signal: AbortSignal) => Promise<Judgement> {
  const bodyOf = judgeQuestion(given);
  const read = judgementReader(given);
  const keyOf = secretReader(secrets, given.api_key, given.api_key_env);
  const fixed = headerPairs(given.headers);
  const timeoutMs = Math.ceil(given.timeout_seconds * 1000);
  return async (answer, signal) => {
    const key = await keyOf(signal);
    const headers = key === undefined ? fixed : [...fixed, 'authorization', `Bearer ${key}`];
    return read(
      await askService(outbound, 'the judge', {
        url: given.judge_url,
        headers,
        body: bodyOf(answer),
        timeoutMs,
        signal,
      }),
    );
  };
}
