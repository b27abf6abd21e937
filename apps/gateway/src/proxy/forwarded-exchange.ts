import type { CompiledRoute } from '../configuration/generation.ts';
import type { BodySource } from '../transport/body-source.ts';
import { failures } from '../transport/upstream-failures.ts';
import { AnsweringExchange } from './answering-exchange.ts';
import type { Exchange } from './exchange.ts';
import type { HeldBody } from './held-body.ts';
import { problemOfFailure } from './problems.ts';
import type { RequestHead } from './request-head.ts';

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
