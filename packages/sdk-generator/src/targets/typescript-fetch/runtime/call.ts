/** `src/runtime/call.ts`: one request while it is made, and its answer. */
export const callText: string = String.raw`import type { Codec } from './codec.ts';
import { DecodeError, InvalidRequestError } from './errors.ts';
import { asBlob, multipart, urlEncoded, type Content, type FormField } from './forms.ts';
import { percentEncoded, queryOf, textOf, textsOf, type QueryStyle } from './text.ts';
import type { Answer, CallOptions, Transport } from './transport.ts';

/** Whether an answer without a body is null, or wrong. */
type Emptiness = 'full' | 'maybeEmpty';

/** A request: where it goes, and what goes with it. */
export class Call {
  readonly method: string;
  /** The path as it is described, for messages. */
  readonly template: string;
  readonly accept: string | undefined;
  readonly security: readonly (readonly string[])[];
  readonly query: string[] = [];
  readonly headers: [name: string, value: string][] = [];
  readonly cookies: string[] = [];
  path = '';
  body: Blob | string | undefined;
  contentType: string | undefined;
  readonly #transport: Transport;

  constructor(
    transport: Transport,
    method: string,
    template: string,
    security: readonly (readonly string[])[],
    accept?: string,
  ) {
    this.#transport = transport;
    this.method = method;
    this.template = template;
    this.security = security;
    this.accept = accept;
  }

  literal(text: string): void {
    this.path += text;
  }

  /** What would lead to another path is refused. */
  inPath<T>(name: string, codec: Codec<T>, value: T, isGreedy = false): void {
    const written = codec.write(value, name);
    const texts = Array.isArray(written) ? textsOf(written) : [textOf(written)];
    const escaped = texts.map((text) => (isGreedy ? text.split('/').map(percentEncoded).join('/') : percentEncoded(text)));
    const text = escaped.join(',');
    const isOther = (segment: string): boolean => segment === '' || segment === '.' || segment === '..';
    if ((isGreedy ? text.split('/') : [text]).some(isOther)) {
      throw new InvalidRequestError(name, 'must not be empty, . or ..: that would be another path');
    }
    this.path += text;
  }

  jsonInPath<T>(name: string, codec: Codec<T>, value: T): void {
    this.path += percentEncoded(JSON.stringify(codec.write(value, name)));
  }

  inQuery<T>(name: string, codec: Codec<T>, value: T | undefined, style: QueryStyle, isExploded: boolean): void {
    if (value === undefined) return;
    this.query.push(...queryOf(name, codec.write(value, name), style, isExploded));
  }

  inHeader<T>(name: string, codec: Codec<T>, value: T | undefined, isJson = false): void {
    if (value === undefined) return;
    const written = codec.write(value, name);
    if (isJson) this.headers.push([name, asciiJson(written)]);
    else {
      const texts = Array.isArray(written) ? textsOf(written) : [textOf(written)];
      if (texts.length > 0) this.headers.push([name, texts.join(',')]);
    }
  }

  inCookie<T>(name: string, codec: Codec<T>, value: T | undefined, style: QueryStyle, isExploded: boolean): void {
    if (value === undefined) return;
    this.cookies.push(...queryOf(name, codec.write(value, name), style, isExploded));
  }

  jsonBody<T>(codec: Codec<T>, value: T | undefined, contentType: string): void {
    if (value !== undefined) this.#send(JSON.stringify(codec.write(value, 'body')), contentType);
  }

  textBody(value: string | undefined, contentType: string): void {
    if (value !== undefined) this.#send(value, contentType);
  }

  binaryBody(value: Content | undefined, contentType: string): void {
    if (value !== undefined) this.#send(asBlob(value, contentType), contentType);
  }

  formBody(fields: readonly FormField[], value: object | undefined): void {
    if (value !== undefined) this.#send(urlEncoded(fields, value), 'application/x-www-form-urlencoded');
  }

  multipartBody(fields: readonly FormField[], value: object | undefined): void {
    if (value === undefined) return;
    const { body, contentType } = multipart(fields, value);
    this.#send(body, contentType);
  }

  async json<T>(codec: Codec<T>, emptiness: 'full', options?: CallOptions): Promise<T>;
  async json<T>(codec: Codec<T>, emptiness: Emptiness, options?: CallOptions): Promise<T | null>;
  async json<T>(codec: Codec<T>, emptiness: Emptiness, options?: CallOptions): Promise<T | null> {
    const { text } = await this.#answer('text', options);
    if (text === '' && emptiness === 'maybeEmpty') return null;
    const request = ${'`${this.method} ${this.template}`'};
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new DecodeError('', 'it is not JSON', request);
    }
    try {
      return codec.read(json, '');
    } catch (error) {
      throw error instanceof DecodeError ? new DecodeError(error.place, error.reason, request) : error;
    }
  }

  async text(emptiness: 'full', options?: CallOptions): Promise<string>;
  async text(emptiness: Emptiness, options?: CallOptions): Promise<string | null>;
  async text(emptiness: Emptiness, options?: CallOptions): Promise<string | null> {
    const { text, status } = await this.#answer('text', options);
    return text === '' && emptiness === 'maybeEmpty' && status !== 200 ? null : text;
  }

  async binary(emptiness: 'full', options?: CallOptions): Promise<Blob>;
  async binary(emptiness: Emptiness, options?: CallOptions): Promise<Blob | null>;
  async binary(emptiness: Emptiness, options?: CallOptions): Promise<Blob | null> {
    const { blob, status } = await this.#answer('blob', options);
    return blob.size === 0 && emptiness === 'maybeEmpty' && status !== 200 ? null : blob;
  }

  async none(options?: CallOptions): Promise<void> {
    await this.#answer('none', options);
  }

  #send(body: string | Blob, contentType: string): void {
    this.body = body;
    this.contentType = contentType;
  }

  #answer(kind: 'text' | 'blob' | 'none', options: CallOptions | undefined): Promise<Answer> {
    return this.#transport.send(this, kind, options);
  }
}

/** JSON that a header can have. */
function asciiJson(value: unknown): string {
  const sign = (character: string): string => ${"`\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`"};
  return JSON.stringify(value).replace(/[^\x20-\x7e]/g, sign);
}
`;
