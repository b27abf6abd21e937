import { isJsonObject } from '@portcullis/ai-router';
import type { HeaderEdit, HookResult, PluginHooks, ResponseEdits, ResponseExchange } from '@portcullis/plugin-runtime';
import { faultPolicy } from '../shared/bodies/body-problems.ts';
import { contentTypeMatcher, JSON_TYPES } from '../shared/bodies/content-types.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import type { AnswerDocument } from '../shared/chat/answer-document.ts';
import { readAnswer, rewrittenAnswer, streamTypes } from '../shared/chat/read-answer.ts';
import { writtenTexts } from '../shared/chat/written-texts.ts';
import { changedText } from './changed-text.ts';
import { config, type Config } from './config.ts';

/** Changes what models answered. */
export const aiResponseTransformer: BuiltIn = builtIn({
  name: 'ai_response_transformer',
  version: '1.0.0',
  category: 'ai',
  triggers: ['after_response'],
  description: 'Changes the texts of answers of models: replaces, and puts something before and after',
  config,
  setup(given, services): PluginHooks {
    const reading = {
      matches: contentTypeMatcher([...JSON_TYPES, ...streamTypes]),
      bytesMax: given.max_body_bytes,
      readsStreams: true,
    };
    const change = documentChange(given);
    const onFault = faultPolicy(services, given.strict, 'JSON of a chat completion');
    const told = headerOf(given.header_name);
    const transform = async (exchange: ResponseExchange): Promise<HookResult<ResponseEdits>> => {
      const answer = await readAnswer(exchange, reading);
      if (answer === undefined || answer === 'part') return undefined;
      if (typeof answer === 'string') return onFault(exchange, 'response', answer);
      const outcome = change(answer.document);
      if (outcome !== 'changed') return onFault(exchange, 'response', outcome);
      const edits = await rewrittenAnswer(exchange, answer);
      return told === undefined ? edits : { ...edits, headers: [...(edits.headers ?? []), ...told] };
    };
    return {
      response: (exchange) => {
        const { status, source } = exchange.response;
        // Errors have no text of a model.
        return source === 'gateway' || status < 200 || status > 299 ? undefined : transform(exchange);
      },
    };
  },
});

/** Changes a document in place; says why it could not. */
function documentChange(given: Config): (document: AnswerDocument) => 'changed' | 'malformed' | 'too_large' {
  const changed = changedText(given);
  const { metadata } = given;
  return (document) => {
    const texts = writtenTexts(document);
    const [first] = document.values;
    // An answer that calls tools has no text, and is an answer all the same.
    if (document.form === undefined || document.form === 'embeddings' || first === undefined) return 'malformed';
    const results = texts.map(({ text }) => changed(text));
    if (results.includes(undefined)) return 'too_large';
    for (const [index, text] of texts.entries()) text.replace(results[index] ?? '');
    if (metadata !== undefined) {
      const known = Object.hasOwn(first, 'metadata') && isJsonObject(first['metadata']) ? first['metadata'] : {};
      first['metadata'] = { ...known, ...metadata };
    }
    if (results.some((result, index) => result !== texts[index]?.text)) document.dropRepetitions();
    return 'changed';
  };
}

function headerOf(name: string | undefined): readonly HeaderEdit[] | undefined {
  return name === undefined ? undefined : Object.freeze([Object.freeze({ op: 'set', name, value: 'true' } as const)]);
}
