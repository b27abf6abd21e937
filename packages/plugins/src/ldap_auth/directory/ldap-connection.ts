import type { Socket } from 'node:net';
import { answerOf, type Answer } from '../protocol/answers.ts';
import { MalformedMessage } from '../protocol/ber.ts';
import { MessageBuffer } from '../protocol/message-buffer.ts';
import { UNBIND, message } from '../protocol/requests.ts';

/** Most messages that are waiting to be read. Nothing this plugin asks has more than two for an answer. */
const ANSWERS_MAX = 8;

/**
 * One connection to a directory. It asks one thing at a time and reads the answers in order; anything else that a server sends ends it.
 * Whoever opens it closes it.
 */
export class LdapConnection {
  readonly #answers: Answer[] = [];
  readonly #buffer = new MessageBuffer();
  readonly #socket: Socket;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #id = 0;

  /** @param socket connected; its owner is the connection from now on, but for {@link release} */
  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#onData);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** Sends an operation and gives the first message of its answer; {@link next} gives further ones. Rejects when the connection ends. */
  ask(operation: Uint8Array): Promise<Answer> {
    this.#id += 1;
    if (this.#failure === undefined) this.#socket.write(message(this.#id, operation));
    return this.next();
  }

  /** The next message of the answer. */
  async next(): Promise<Answer> {
    while (this.#answers.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const answer = this.#answers.shift() as Answer;
    if (answer.id !== this.#id) throw new MalformedMessage('an answer is to something that was not asked');
    return answer;
  }

  /**
   * Gives the socket back, for TLS.
   * @throws MalformedMessage when the server said more than it was asked: what came in plain text must never be taken for something
   *   that came encrypted
   */
  release(): Socket {
    if (!this.#buffer.isEmpty || this.#answers.length > 0)
      throw new MalformedMessage('a server said more than was asked');
    this.#detach();
    return this.#socket;
  }

  /** Ends the connection at once, with a goodbye where that can be written without waiting. */
  close(): void {
    if (this.#failure === undefined) this.#socket.write(message(this.#id + 1, UNBIND));
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#buffer.add(chunk);
      for (let content = this.#buffer.take(); content !== undefined; content = this.#buffer.take()) {
        this.#answers.push(answerOf(content));
        if (this.#answers.length > ANSWERS_MAX) throw new MalformedMessage('a server said more than was asked');
      }
    } catch (error) {
      this.#fail(error as Error);
      this.#socket.destroy();
    }
    this.#wake?.();
  };

  readonly #onError = (error: Error): void =>
    this.#fail(new Error('the connection to the directory failed', { cause: error }));

  readonly #onClose = (): void => this.#fail(new Error('the directory closed the connection'));

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }

  #detach(): void {
    this.#socket.off('data', this.#onData);
    this.#socket.off('error', this.#onError);
    this.#socket.off('close', this.#onClose);
  }
}
