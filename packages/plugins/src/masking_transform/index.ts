import type { HeaderEdit, PluginHooks, RequestEdits } from '@portcullis/plugin-runtime';
import { faultPolicy } from '../shared/bodies/body-problems.ts';
import { answerWithoutBody, withoutDigests } from '../shared/bodies/replaced-body.ts';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { speaksOfBody } from '../shared/edited-message.ts';
import { headerEdits } from '../shared/header-edits.ts';
import { compileOperation, isMistake } from '../shared/json-text/compile-operation.ts';
import type { JsonOperation } from '../shared/json-text/operations.ts';
import { config, type Config } from './config.ts';
import { maskedTypes, maskRequest, maskResponse, type BodyMasking } from './masking.ts';

/** Masks values of headers and JSON bodies. */
export const maskingTransform: BuiltIn = builtIn({
  name: 'masking_transform',
  version: '1.0.0',
  // What protects data has to be there or nothing goes: a plugin of the category `transformation` is left out when it fails.
  category: 'enforcement',
  triggers: ['both', 'before_request', 'after_response'],
  description: 'Masks values of headers and JSON bodies of requests and responses',
  config,
  setup(settings, services): PluginHooks {
    const others = services.metrics.counter(
      'bodies_of_other_types',
      'Bodies that passed unmasked because of their type',
    );
    const bodies = {
      matches: maskedTypes(settings.content_types),
      bytesMax: settings.max_body_bytes,
      onFault: faultPolicy(services, settings.strict, 'JSON'),
      onOtherType: () => others.add(1),
    };
    const masksRequests = settings.target !== 'response';
    const masksResponses = settings.target !== 'request';
    const ofResponses = operations(settings, settings.response_json_paths);
    const requestHeaders = [
      ...masks(settings, masksRequests ? settings.request_headers : undefined, masksRequests),
      // Parts of an answer cannot be masked.
      ...(masksResponses && ofResponses.length > 0 ? WHOLE_ANSWERS : []),
    ];
    const responseHeaders = masks(settings, settings.response_headers, true);
    return {
      ...requestHook(requestHeaders, masksRequests ? operations(settings, settings.request_json_paths) : [], bodies),
      ...(masksResponses ? responseHook(responseHeaders, ofResponses, bodies) : {}),
    };
  },
});

type Bodies = Pick<BodyMasking, 'matches' | 'bytesMax' | 'onFault' | 'onOtherType'>;

const WHOLE_ANSWERS: readonly HeaderEdit[] = headerEdits({ remove: ['range', 'if-range'] });

function requestHook(headers: readonly HeaderEdit[], paths: readonly JsonOperation[], bodies: Bodies): PluginHooks {
  const plain: RequestEdits = Object.freeze({ headers: Object.freeze(headers) });
  if (paths.length === 0) return headers.length === 0 ? {} : { request: () => plain };
  const masking = { ...bodies, operations: paths, fields: withoutDigests(headers) };
  return { request: async (exchange) => (await maskRequest(exchange, masking)) ?? plain };
}

function responseHook(headers: readonly HeaderEdit[], paths: readonly JsonOperation[], bodies: Bodies): PluginHooks {
  const plain = Object.freeze({ headers: Object.freeze(headers) });
  if (paths.length === 0) return headers.length === 0 ? {} : { response: () => plain };
  const fields = withoutDigests(headers);
  const masking = { ...bodies, operations: paths, fields };
  return {
    response: async (exchange) =>
      speaksOfBody(exchange, masking)
        ? answerWithoutBody(exchange.response.headers, fields)
        : ((await maskResponse(exchange, masking)) ?? plain),
  };
}

function masks({ headers = [], mask }: Config, more: readonly string[] = [], isOn: boolean): readonly HeaderEdit[] {
  if (!isOn) return [];
  return headerEdits({ replace: Object.fromEntries([...headers, ...more].map((name) => [name, mask])) });
}

function operations({ json_paths = [], mask }: Config, more: readonly string[] = []): readonly JsonOperation[] {
  return [...json_paths, ...more].map((path) => {
    const compiled = compileOperation({ op: 'replace', path, value: mask });
    // The config was checked with the same compiler.
    if (isMistake(compiled)) throw new TypeError('a path that was checked does not compile');
    return compiled;
  });
}
