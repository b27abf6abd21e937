import type { CompiledRoute } from '../configuration/generation.ts';
import type { BodySource } from '../transport/body-source.ts';
import { failures } from '../transport/upstream-failures.ts';
import type { UpstreamRequest } from '../transport/upstream-transport.ts';
import { AnsweringExchange } from './answering-exchange.ts';
import type { Exchange } from './exchange.ts';
import type { HeldBody } from './held-body.ts';
import { problemOfFailure } from './problems.ts';
import type { RequestHead } from './request-head.ts';
import { announcedNames, ForwardedBody, requestTrailerRule } from './trailer-fields.ts';

/** What services and destinations have in common: a request goes out with its body, and the answer streams back. */
export abstract class ForwardedExchange extends AnsweringExchange {
  protected readonly head: RequestHead;
  readonly #held: HeldBody | undefined;
  protected body: BodySource | Uint8Array | undefined;

  constructor(exchange: Exchange, route: CompiledRoute, head: RequestHead, held: HeldBody | undefined) {
    super(exchange, route);
    this.head = head;
    this.#held = held;
  }

  /** Sends the request, whose body is known. */
  protected abstract send(): void;

  /** The body with what may come behind it. @param isHttp1 whether the upstream has to be told its names before */
  protected withTrailers(isHttp1: boolean): Pick<UpstreamRequest, 'body' | 'trailerNames'> {
    const { body, head } = this;
    if (body === undefined || body instanceof Uint8Array) return { body };
    const mayName = requestTrailerRule(head.pairs, this.exchange.state?.request);
    if (!isHttp1) return { body: new ForwardedBody(body, mayName) };
    const trailerNames = announcedNames(head.announcedTrailers, mayName);
    // Behind a body whose length is told there is no place for them.
    if (trailerNames === undefined && body.length !== undefined) return { body };
    const announced = new Set(trailerNames);
    return { body: new ForwardedBody(body, (name) => announced.has(name)), trailerNames };
  }

  /** Takes the body that plugins left, then sends. */
  protected sendWithBody(): void {
    const replaced = this.exchange.state?.request.body;
    if (replaced !== undefined) this.body = replaced;
    else if (this.#held === undefined || this.#held.untouched) this.body = this.exchange.call.body;
    else {
      this.#held
        .forward()
        .then((body) => {
          if (this.exchange.over) return;
          this.body = body;
          this.send();
        })
        .catch(() => this.exchange.fail(problemOfFailure(failures.requestBody)));
      return;
    }
    this.send();
  }
}
