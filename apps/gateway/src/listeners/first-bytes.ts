import type { Socket } from 'node:net';
import type { DeadlineWatch, Watched } from '@portcullis/egress';

/** What the first bytes of a connection say, and how many of them are to be taken out; the others stay for whoever comes next. */
export interface Judgement<Verdict> {
  readonly verdict: Verdict;
  readonly taken: number;
}

/** @returns `undefined` while more bytes are needed */
export type Judge<Verdict> = (bytes: Buffer) => Judgement<Verdict> | undefined;

/** Why a connection's first bytes could not be judged; `gone` was closed by its other end. */
export type BeginFailure = 'late' | 'tooLong' | 'gone';

/** Who is told; once. */
export interface FirstBytesOutcome<Verdict> {
  onVerdict(verdict: Verdict): void;
  /** The socket is still open but for `gone`. */
  onFailure(failure: BeginFailure): void;
}

/**
 * Reads the beginning of a connection until a judge says what it is. What is not taken out is put back, so that parsers in
 * native code find it: nothing of the connection goes through here afterwards.
 */
export class FirstBytes<Verdict> implements Watched {
  place = -1;
  readonly deadlineMs: number;
  readonly #socket: Socket;
  readonly #judge: Judge<Verdict>;
  readonly #outcome: FirstBytesOutcome<Verdict>;
  readonly #watch: DeadlineWatch;
  readonly #bytesMax: number;
  /** What came, and room for as much again: bytes that come one by one are not copied as often. */
  #seen: Buffer | undefined;
  #length = 0;

  /**
   * @param bytesMax so much is read at most for a verdict
   * @param deadlineMs on the monotonic clock
   */
  constructor(
    socket: Socket,
    judge: Judge<Verdict>,
    bytesMax: number,
    watch: DeadlineWatch,
    deadlineMs: number,
    outcome: FirstBytesOutcome<Verdict>,
  ) {
    this.#socket = socket;
    this.#judge = judge;
    this.#bytesMax = bytesMax;
    this.#watch = watch;
    this.deadlineMs = deadlineMs;
    this.#outcome = outcome;
  }

  start(): void {
    this.#watch.add(this);
    this.#socket.on('readable', this.#onReadable);
    this.#socket.on('error', ignore);
    this.#socket.on('close', this.#onClose);
    this.#socket.on('end', this.#onClose);
    // What another reader put back is there already.
    if (this.#socket.readableLength > 0) this.#onReadable();
  }

  expire(): void {
    this.#fail('late');
  }

  readonly #onReadable = (): void => {
    const chunk = this.#socket.read() as Buffer | null;
    if (chunk === null) return;
    const bytes = this.#join(chunk);
    const judgement = this.#judge(bytes);
    if (judgement === undefined) {
      if (bytes.length >= this.#bytesMax) this.#fail('tooLong');
      return;
    }
    this.#leave();
    if (judgement.taken < bytes.length) this.#socket.unshift(bytes.subarray(judgement.taken));
    this.#outcome.onVerdict(judgement.verdict);
  };

  #join(chunk: Buffer): Buffer {
    const length = this.#length + chunk.length;
    if (this.#seen === undefined) this.#seen = chunk;
    else if (length <= this.#seen.length) chunk.copy(this.#seen, this.#length);
    else {
      const roomy = Buffer.alloc(2 * length);
      this.#seen.copy(roomy, 0, 0, this.#length);
      chunk.copy(roomy, this.#length);
      this.#seen = roomy;
    }
    this.#length = length;
    return this.#seen.subarray(0, length);
  }

  readonly #onClose = (): void => this.#fail('gone');

  #fail(failure: BeginFailure): void {
    this.#leave();
    this.#outcome.onFailure(failure);
  }

  #leave(): void {
    this.#watch.delete(this);
    this.#socket.off('readable', this.#onReadable);
    this.#socket.off('error', ignore);
    this.#socket.off('close', this.#onClose);
    this.#socket.off('end', this.#onClose);
  }
}

function ignore(): void {
  // `close` follows.
}
