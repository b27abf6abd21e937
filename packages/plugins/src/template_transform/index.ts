import type { Exchange, PluginHooks, PluginResponse, ResponseExchange } from '@portcullis/plugin-runtime';
import { faultPolicy, type BodySide } from '../shared/bodies/body-problems.ts';
import { JSON_TYPES, contentTypeMatcher, saidType } from '../shared/bodies/content-types.ts';
import { requestText, responseText, type ReadableBody } from '../shared/bodies/readable-body.ts';
import { answerWithoutBody, replacedAnswer, replacedBody, withoutDigests } from '../shared/bodies/replaced-body.ts';
import { bodilessStatuses } from '../shared/bodiless.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { problemAnswer } from '../shared/problem.ts';
import { config } from './config.ts';
import { readJson } from './exact-json.ts';
import { compileTemplates } from './sides.ts';
import type { Template } from './template.ts';

/** Requests of these have no body unless they bring one: a template gives them none. Source: RFC 9110, 9.3. */
const BODILESS_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

const isJson = contentTypeMatcher(JSON_TYPES);

/** Replaces bodies by what templates make of them. */
export const templateTransform: BuiltIn = builtIn({
  name: 'template_transform',
  version: '1.0.0',
  category: 'transformation',
  triggers: ['both', 'before_request', 'after_response', 'request_response', 'all'],
  description: 'Replaces bodies by templates with variables of the request, the response and the consumer',
  config,
  setup(settings, services): PluginHooks {
    const templates = compileTemplates(settings);
    const reading = { matches: () => true, bytesMax: settings.max_body_bytes };
    const onFault = faultPolicy(services, settings.strict, 'JSON');
    const unknown = [templates.request, templates.response].flatMap((template) => template?.unknown ?? []);
    if (unknown.length > 0)
      services.log.warn('a template has variables that are always missing', { variables: unknown.join(', ') });
    const onMissing = {
      request: problemAnswer({
        status: 400,
        code: 'template_value_missing',
        title: 'Value missing',
        detail: 'The request has no value for a part of what is sent on',
      }),
      response: problemAnswer({
        status: 502,
        code: 'upstream_body_incomplete',
        title: 'Bad gateway',
        detail: 'The answer has no value for a part of what is sent on',
      }),
    };
    /** What clients sent, for the templates of their answers. */
    const kept = new WeakMap<Exchange, unknown>();

    /** The value of a body that was read; an answer or nothing where it is no value. */
    const valueOf = (
      exchange: Exchange,
      side: BodySide,
      body: ReadableBody,
    ): BodyValue | PluginResponse | undefined => {
      if (body.kind === 'problem') return onFault(exchange, side, body.problem);
      if (body.kind === 'absent') return body.absence === 'empty' ? { value: undefined } : undefined;
      if (!settings.parse_json || !isJson(body.type)) return { value: body.text };
      const read = readJson(body.text);
      return typeof read === 'string' ? onFault(exchange, side, read) : { value: read };
    };

    const written = (
      exchange: Exchange,
      side: BodySide,
      template: Template,
      body: unknown,
    ): string | PluginResponse | undefined => {
      const filled = template.write({ exchange, body, requestBody: kept.get(exchange) }, settings.strict);
      if (filled.kind === 'text') return filled.text;
      if (filled.kind !== 'missing') return onFault(exchange, side, filled.kind);
      services.log.debug('refused a message without a value', {
        variable: filled.variable,
        request_id: exchange.facts.requestId,
      });
      return onMissing[side](exchange);
    };

    const requestHook = (template: Template | undefined, keepsBody: boolean) => {
      const headers = headersFor(template);
      return async (exchange: Exchange) => {
        const isReplaced = template !== undefined && takesBody(exchange);
        const body = keepsBody || (isReplaced && template.readsBody) ? await requestText(exchange, reading) : NOT_READ;
        const read = valueOf(exchange, 'request', body);
        if (read === undefined || 'status' in read) return read;
        if (keepsBody) kept.set(exchange, read.value);
        if (!isReplaced) return undefined;
        const text = written(exchange, 'request', template, read.value);
        return typeof text === 'string' ? replacedBody(text, encodingOf(body), headers) : text;
      };
    };

    const responseHook = (template: Template) => {
      const headers = headersFor(template);
      return async (exchange: ResponseExchange) => {
        if (!isReplaced(exchange)) return undefined;
        const { status, headers: view } = exchange.response;
        if (exchange.request.method === 'HEAD' || status === NOT_MODIFIED) return answerWithoutBody(view, headers);
        const body = template.readsBody ? await responseText(exchange, reading) : NOT_READ;
        const read = valueOf(exchange, 'response', body);
        if (read === undefined || 'status' in read) return read;
        const text = written(exchange, 'response', template, read.value);
        return typeof text === 'string' ? replacedAnswer(view, text, encodingOf(body), headers) : text;
      };
    };

    const { request, response } = templates;
    const keepsBody = response?.readsRequestBody === true;
    return {
      ...(request !== undefined || keepsBody ? { request: requestHook(request, keepsBody) } : {}),
      ...(response === undefined ? {} : { response: responseHook(response) }),
    };
  },
});

/** A body as templates see it. */
interface BodyValue {
  readonly value: unknown;
}

/** As if there were no body: none that a template asks for. */
const NOT_READ: ReadableBody = Object.freeze({ kind: 'absent', absence: 'empty' });

function headersFor(template: Template | undefined) {
  const type = template && Object.freeze({ op: 'set', name: 'content-type', value: template.contentType } as const);
  return withoutDigests(type && [type]);
}

function encodingOf(body: ReadableBody) {
  return body.kind === 'text' ? body.encoding : undefined;
}

function takesBody({ request }: Exchange): boolean {
  return request.hasBody || !BODILESS_METHODS.has(request.method);
}

/** Neither what plugins and the gateway answer, nor what has no body and speaks of none, nor a part, nor what is made while it is read. */
function isReplaced({ response: { source, status, headers } }: ResponseExchange): boolean {
  if (source !== 'upstream' || status < 200 || status === 206 || headers.has('content-range')) return false;
  if (bodilessStatuses.has(status) && status !== NOT_MODIFIED) return false;
  const { type } = saidType(headers.get('content-type'));
  return !/^(?:text\/event-stream|application\/grpc.*|multipart\/x-mixed-replace)$/.test(type);
}

const NOT_MODIFIED = 304;
