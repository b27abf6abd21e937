import type { BodyStream, BodyStreamSink, PluginHooks, ResponderAnswer, ResponderCall } from '../index.ts';

/** A body that a test feeds by hand, and which remembers what it was asked. */
export class HandFedStream implements BodyStream {
  sink: BodyStreamSink | undefined;
  resumes = 0;
  cancels = 0;

  start(sink: BodyStreamSink): void {
    this.sink = sink;
  }

  resume(): void {
    this.resumes += 1;
  }

  cancel(): void {
    this.cancels += 1;
  }

  write(text: string): boolean | undefined {
    return this.sink?.write(new TextEncoder().encode(text));
  }
}

/** A body that comes as it is asked for. */
export class PieceStream implements BodyStream {
  readonly #pieces: string[];
  #sink: BodyStreamSink | undefined;

  constructor(...pieces: string[]) {
    this.#pieces = pieces;
  }

  start(sink: BodyStreamSink): void {
    this.#sink = sink;
    this.resume();
  }

  resume(): void {
    for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) {
      if (this.#sink?.write(new TextEncoder().encode(piece)) === false) return;
    }
    this.#sink?.end();
  }

  cancel(): void {
    this.#pieces.length = 0;
  }
}

/** Hooks of a plugin that answers everything itself. */
export function respondingHooks(
  respond: (call: ResponderCall) => ResponderAnswer | Promise<ResponderAnswer>,
  hooks: PluginHooks = {},
): PluginHooks {
  const edits = { responder: { respond } };
  return { request: () => edits, ...hooks };
}

/** An answer of status 200. */
export function answerWith(body: NonNullable<ResponderAnswer['body']>): ResponderAnswer {
  return { status: 200, headers: ['x-made', 'yes'], body, source: 'plugin' };
}
