import { callResponder, type ExchangeState, type Responder, type ResponderReply } from '@portcullis/plugin-runtime';
import type { CompiledRoute } from '../configuration/generation.ts';
import { AnsweringExchange } from './answering-exchange.ts';
import type { Exchange } from './exchange.ts';
import { finishedCall, ResponderStream } from './responder-stream.ts';

/** A request that a plugin answers in place of its service. Source: ADR 0045. */
export class ResponderExchange extends AnsweringExchange {
  readonly #state: ExchangeState;
  readonly #responder: Responder;

  constructor(exchange: Exchange, route: CompiledRoute, state: ExchangeState, responder: Responder) {
    super(exchange, route);
    this.#state = state;
    this.#responder = responder;
  }

  start(): void {
    this.sentMs = this.exchange.ports.monotonicMs();
    const reply = callResponder(this.#state, this.#responder);
    if (!(reply instanceof Promise)) this.#take(reply);
    else reply.then((late) => this.#take(late)).catch((error: unknown) => this.exchange.crash(error));
  }

  #take(reply: ResponderReply): void {
    if (reply === 'failed') {
      this.doneMs = this.exchange.ports.monotonicMs();
      this.exchange.failStage();
      return;
    }
    const { status, headers, source, body } = reply;
    const isBodiless = this.exchange.call.method === 'HEAD' || bodiless.has(status);
    this.source = source;
    if (body instanceof Uint8Array) {
      this.call = finishedCall;
      headers.push('content-length', `${status === 205 ? 0 : body.length}`);
      this.onResponse(status, headers);
      if (!isBodiless) this.onChunk(body);
      this.onEnd();
      return;
    }
    const stream = new ResponderStream(body, this);
    this.call = stream;
    // The client left while the plugin thought: nobody wants the body.
    if (this.exchange.over || isBodiless) stream.abort();
    this.onResponse(status, headers);
    if (isBodiless) this.onEnd();
    else stream.begin();
  }

  protected retry(): boolean {
    return false;
  }

  protected noteAnswer(): void {
    // Nobody watches the health of a plugin here: its circuit does.
  }

  protected noteEnd(): void {
    // As above.
  }

  protected addFields(): void {
    // Cookies are for balancers.
  }
}

/** Statuses whose answers have no body. Source: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
