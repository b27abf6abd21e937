import type { Operation, Referred } from '@portcullis/openapi';
import { pointerTo } from '@portcullis/openapi';
import type { Exchange, HeaderView, ResponseExchange } from '@portcullis/plugin-runtime';
import { bodilessStatuses } from '../../shared/bodiless.ts';
import { isRecord } from '../schemas/keywords.ts';
import { cookiePairs, rawPairs } from '../values/form-values.ts';
import { decodeFormPart } from '../values/parameter-styles.ts';
import { requestBodyFault, responseBodyFault } from './body-check.ts';
import { entriesIn, fieldIn, type ContractParts, type ContractSettings } from './contract.ts';
import type { ContractIssue, MessageFault } from './issue.ts';
import { mediaTypes, type MediaTypes } from './media-types.ts';
import { headerCheck, parameterCheck, type ParameterCheck } from './parameters.ts';

interface ResponseContract {
  readonly headers: readonly ((headers: HeaderView) => ContractIssue | undefined)[];
  readonly media: MediaTypes;
}

/** The contract of one operation, compiled when its first message comes. */
export class OperationContract {
  readonly #parts: ContractParts;
  readonly #operation: Operation;
  readonly #settings: ContractSettings;
  readonly #apiKeys: ReadonlySet<string>;
  readonly #responses = new Map<string, ResponseContract | undefined>();
  #parameters: readonly ParameterCheck[] | undefined;
  #body: { readonly media: MediaTypes; readonly isRequired: boolean } | 'none' | undefined;

  /** @param apiKeys parameters of the query that are credentials: described by the security of the operation */
  constructor(
    parts: ContractParts,
    operation: Operation,
    settings: ContractSettings,
    apiKeys: ReadonlyMap<string, string>,
  ) {
    this.#parts = parts;
    this.#operation = operation;
    this.#settings = settings;
    const schemes = operation.security.flat().map(({ name }) => apiKeys.get(name));
    this.#apiKeys = new Set(schemes.filter((name) => name !== undefined));
  }

  /** What is wrong with a request, parameters first. @param path what the parameters of the path stand for */
  requestFault(
    exchange: Exchange,
    path: ReadonlyMap<string, string>,
  ): MessageFault | Promise<MessageFault | undefined> | undefined {
    const issue = this.#parameterIssue(exchange, path);
    if (issue !== undefined) return issue;
    this.#body ??= this.#bodyContract();
    if (this.#body !== 'none') {
      const { media, isRequired } = this.#body;
      return requestBodyFault(exchange, media, isRequired, this.#settings);
    }
    const { hasBody, headers } = exchange.request;
    const isUndescribed = this.#settings.isStrict && hasBody && headers.get('content-length') !== '0';
    return isUndescribed ? UNDESCRIBED_BODY : undefined;
  }

  /** What is wrong with a response. */
  responseFault(exchange: ResponseExchange): MessageFault | Promise<MessageFault | undefined> | undefined {
    const { isStrict } = this.#settings;
    const { status, headers } = exchange.response;
    const contract = this.#responseContract(String(status));
    if (contract === undefined) return isStrict ? UNDESCRIBED_STATUS : undefined;
    for (const check of contract.headers) {
      const issue = check(headers);
      if (issue !== undefined) return issue;
    }
    if (exchange.request.method === 'HEAD' || bodilessStatuses.has(status)) return undefined;
    if (!contract.media.isEmpty) return responseBodyFault(exchange, contract.media, this.#settings);
    return isStrict && headers.has('content-type') && headers.get('content-length') !== '0'
      ? UNDESCRIBED_BODY
      : undefined;
  }

  #parameterIssue({ request }: Exchange, path: ReadonlyMap<string, string>): ContractIssue | undefined {
    this.#parameters ??= this.#operation.parameters
      .map((parameter) => parameterCheck(this.#parts, parameter))
      .filter((check) => check !== undefined);
    const query = rawPairs(request.query);
    if (query === undefined) return TOO_MANY;
    if (this.#settings.isStrict && query.length > 0) {
      const unknown = this.#undescribed(query.map(([name]) => name));
      if (unknown !== undefined) return unknown;
    }
    if (this.#parameters.length === 0) return undefined;
    let cookies: ReturnType<typeof cookiePairs> | undefined;
    const sources = {
      path,
      query,
      headers: request.headers,
      get cookies() {
        return (cookies ??= cookiePairs(request.headers.getAll('cookie')));
      },
    };
    for (const { check } of this.#parameters) {
      const issue = check(sources);
      if (issue !== undefined) return issue;
    }
    return undefined;
  }

  #undescribed(names: readonly string[]): ContractIssue | undefined {
    // One that means the whole query describes all of it.
    if (this.#operation.parameters.some((parameter) => parameter.in === 'querystring')) return undefined;
    for (const raw of names) {
      const name = nameOf(raw);
      const isKnown =
        name !== undefined &&
        (this.#apiKeys.has(name) ||
          this.#parameters?.some(({ place, owns }) => place === 'query' && owns(name)) === true);
      if (!isKnown)
        return {
          in: 'query',
          name: (name ?? raw).slice(0, NAME_LENGTH_MAX),
          rule: 'described',
          message: 'is not described',
        };
    }
    return undefined;
  }

  #bodyContract(): { readonly media: MediaTypes; readonly isRequired: boolean } | 'none' {
    const body = fieldIn(this.#parts, this.#place(), 'requestBody');
    if (body === undefined) return 'none';
    const media = mediaTypes(this.#parts, fieldIn(this.#parts, body, 'content'), 'request');
    return media.isEmpty ? 'none' : { media, isRequired: body.value['required'] === true };
  }

  #responseContract(status: string): ResponseContract | undefined {
    if (!this.#responses.has(status)) this.#responses.set(status, this.#compiledResponse(status));
    return this.#responses.get(status);
  }

  /** Source: OpenAPI 3.1.1, 4.8.16: the status itself, its range, and then `default`. */
  #compiledResponse(status: string): ResponseContract | undefined {
    const { definition, pointer } = this.#operation;
    const responses: unknown = definition['responses'];
    if (!isRecord(responses)) return undefined;
    const all = { value: responses, pointer: pointerTo(pointer, 'responses') };
    const keys = [status, `${status[0] ?? ''}XX`, `${status[0] ?? ''}xx`, 'default'];
    const key = keys.find((one) => Object.hasOwn(responses, one));
    const response = key === undefined ? undefined : fieldIn(this.#parts, all, key);
    if (response === undefined) return undefined;
    const headers = entriesIn(this.#parts, fieldIn(this.#parts, response, 'headers'))
      .map(([name, header]) => headerCheck(this.#parts, name, header.value, header.pointer))
      .filter((check) => check !== undefined);
    return { headers, media: mediaTypes(this.#parts, fieldIn(this.#parts, response, 'content'), 'response') };
  }

  #place(): Referred {
    return { value: this.#operation.definition, pointer: this.#operation.pointer };
  }
}

/** Longest name of a client's that an answer says, in characters. */
const NAME_LENGTH_MAX = 128;

const UNDESCRIBED_BODY: ContractIssue = { in: 'body', rule: 'described', message: 'is not described' };
const UNDESCRIBED_STATUS: ContractIssue = { in: 'status', rule: 'described', message: 'is not described' };
const TOO_MANY: ContractIssue = { in: 'query', rule: 'complexity', message: 'has too many parameters' };

function nameOf(raw: string): string | undefined {
  try {
    return decodeFormPart(raw);
  } catch {
    return undefined;
  }
}
