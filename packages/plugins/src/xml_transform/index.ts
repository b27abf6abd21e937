import type { Exchange, PluginHooks, PluginResponse, ResponseExchange } from '@portcullis/plugin-runtime';
import { faultPolicy, type BodySide } from '../shared/bodies/body-problems.ts';
import { contentTypeMatcher, saidType } from '../shared/bodies/content-types.ts';
import { requestText, responseText, type ReadableBody } from '../shared/bodies/readable-body.ts';
import { answerWithoutBody, replacedAnswer, replacedBody } from '../shared/bodies/replaced-body.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { compileEdits } from './compile-edits.ts';
import { config } from './config.ts';
import { editXml } from './edit-xml.ts';

/** Edits XML bodies by paths. */
export const xmlTransform: BuiltIn = builtIn({
  name: 'xml_transform',
  version: '1.0.0',
  category: 'transformation',
  triggers: ['both', 'before_request', 'after_response', 'request_response', 'all'],
  description: 'Edits elements and attributes of XML bodies by paths',
  config,
  setup(settings, services): PluginHooks {
    const edits = compileEdits(settings);
    const reading = { matches: contentTypeMatcher(settings.content_types), bytesMax: settings.max_body_bytes };
    const onFault = faultPolicy(services, settings.strict, 'XML');

    /** The new text, the answer to a body that is refused, or nothing for one that goes on as it came. */
    const edited = (exchange: Exchange, side: BodySide, body: ReadableBody): string | PluginResponse | undefined => {
      if (body.kind === 'absent') return undefined;
      if (body.kind === 'problem') return onFault(exchange, side, body.problem);
      const result = editXml(body.text, edits, settings.xml_declaration);
      return typeof result === 'string' ? onFault(exchange, side, result) : result.text;
    };

    const request = async (exchange: Exchange) => {
      const body = await requestText(exchange, reading);
      const text = edited(exchange, 'request', body);
      return typeof text === 'string' && body.kind === 'text' ? replacedBody(text, body.encoding) : asAnswer(text);
    };
    const response = async (exchange: ResponseExchange) => {
      const { status, headers } = exchange.response;
      const type = headers.get('content-type');
      // What 304 speaks of has a type, said or not.
      const isMeant = type === undefined ? status === NOT_MODIFIED : reading.matches(saidType(type).type);
      if (isMeant && (exchange.request.method === 'HEAD' || status === NOT_MODIFIED)) return answerWithoutBody(headers);
      const body = await responseText(exchange, reading);
      const text = edited(exchange, 'response', body);
      return typeof text === 'string' && body.kind === 'text'
        ? replacedAnswer(headers, text, body.encoding)
        : asAnswer(text);
    };
    return {
      ...(settings.target === 'response' ? {} : { request }),
      ...(settings.target === 'request' ? {} : { response }),
    };
  },
});

const NOT_MODIFIED = 304;

function asAnswer(given: string | PluginResponse | undefined): PluginResponse | undefined {
  return typeof given === 'string' ? undefined : given;
}
