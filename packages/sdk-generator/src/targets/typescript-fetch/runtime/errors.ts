/** `src/runtime/errors.ts` */
export const errorsText: string = String.raw`/** What all errors of this client are. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';
}

/** The answer was no success. Redirects are among them: none is followed, because credentials must not go elsewhere. */
export class ApiError extends ClientError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly headers: Headers;
  /** The body as text. */
  readonly body: string;
  /** The body as JSON, where it is JSON. */
  readonly json: unknown;

  constructor(request: string, status: number, headers: Headers, body: string) {
    super(${'`${request} was answered with status ${status}`'});
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.json = jsonOf(body);
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** There was no whole answer in time. */
export class RequestTimeoutError extends ClientError {
  override readonly name = 'RequestTimeoutError';
}

/** There was no connection, or it broke. ${'`cause`'} is what the transport says. */
export class ConnectionFailedError extends ClientError {
  override readonly name = 'ConnectionFailedError';
}

/** A good answer is not as the API describes it. The message names the place and quotes nothing. */
export class DecodeError extends ClientError {
  override readonly name = 'DecodeError';
  /** Where in the answer: ${'`items[0].id`'}. */
  readonly place: string;

  constructor(place: string, reason: string, request?: string) {
    const at = place === '' ? '' : ${'` at ${place}`'};
    super(request === undefined ? ${"`${place === '' ? 'the value' : place}: ${reason}`"} : ${'`the answer to ${request}${at}: ${reason}`'});
    this.place = place;
    this.reason = reason;
  }

  /** What was expected, and what was found. */
  readonly reason: string;
}

/** A value cannot be sent. Nothing was. */
export class InvalidRequestError extends ClientError {
  override readonly name = 'InvalidRequestError';

  constructor(place: string, reason: string) {
    super(${'`${place}: ${reason}`'});
  }
}
`;
