/** What an admission is asked to keep to. */
export interface AdmissionLimits {
  /** How long a turn of the event loop may take, in milliseconds, while more comes than can be served. 0: no such rule. */
  readonly turnTargetMs: number;
  /** Requests under way at a time; one more is refused. */
  readonly inFlightMax: number;
}

/**
 * Default limits. A request waits for the turn that takes it and for the one that takes its answer: turns of 80 ms leave room
 * within 250. Source: reliability goals, 12.
 */
export const admissionDefaults: AdmissionLimits = { turnTargetMs: 80, inFlightMax: 16_384 };

/** The first so many requests of a turn are let in, always: so many connections are never refused, however slow the machine. */
export const turnRequestsMin = 64;

/** The limit ends when for so many milliseconds nobody was refused. */
export const calmMs = 1000;

/** While there is a limit, turns are kept to this part of the target; the limit grows while they take less than the second. */
const keptShare = 0.5;
const growShare = 0.35;

/** A queue that shrinks at least so much in two turns is being worked off. */
const drainedShare = 0.9;

/** A queue grows when each of three turns running takes so many times as long as the one before. */
const grownShare = 1.2;

/** A shorter turn than this part of the target says nothing of what follows it. */
const notableShare = 0.25;

/** A loop that waited for events for more than this part of a turn had no queue. */
const idleShare = 0.1;

/** The limit is cut to this part at least in a turn that is too long, and grows so much after one that was not. */
const cutMin = 0.5;
const growth = 1.2;

/** A turn goes on while a thousand sockets are ready: each further part of it, of so much of the target, has the limit anew. */
const partShare = 0.5;

/** Of each further part of a long turn, so many requests are let in at least. */
const partRequestsMin = 8;

/** The process around an admission. */
export interface AdmissionPorts {
  readonly monotonicMs: () => number;
  /** Milliseconds since the start in which the event loop had nothing to do. */
  readonly idleMs: () => number;
  /** Calls back when the turn of the event loop is over: when everything that had arrived is taken. */
  readonly afterTurn: (over: () => void) => void;
  /** Overload begins, or ends after so many requests were refused. */
  readonly onOverload: (isOverloaded: boolean, refused: number) => void;
}

/**
 * Decides which requests are served while more come than can be. What a turn of the event loop takes is what has come during the
 * turn before; so turns are the queue. It grows when three running are each longer than the one before; it stands when three are longer than the
 * target and the third is no shorter than the first. Where the loop had no rest between them and the third is longer than the target,
 * a turn lets in no more requests from then on than keep it within half of that.
 * A pause (garbage, a neighbour on the machine, a new configuration) makes one long turn, and shorter ones after it. Requests that wait
 * for a slow upstream make none. Source: ADR 0022, ADR 0076.
 */
export class Admission {
  readonly #ports: AdmissionPorts;
  readonly #limits: AdmissionLimits;
  #inFlight = 0;
  #shed = 0;
  /** Requests that a turn, or a part of a long one, lets in; infinite while there is no overload. */
  #limit = Number.POSITIVE_INFINITY;
  #isInTurn = false;
  #startMs = 0;
  #partStartMs = 0;
  /** Let in: in this turn, and in this part of it. */
  #entered = 0;
  #enteredPart = 0;
  #hasRefused = false;
  /** Lengths of the turn before and the one before that, when no rest was between them and this one. */
  #lastMs = 0;
  #beforeMs = 0;
  #idleMs = 0;
  #shedMs = 0;
  #shedBefore = 0;
  readonly #endTurn = (): void => this.#afterTurn();

  constructor(ports: AdmissionPorts, limits: AdmissionLimits = admissionDefaults) {
    this.#ports = ports;
    this.#limits = limits;
  }

  /** Requests under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Requests that were refused since the start. */
  get shed(): number {
    return this.#shed;
  }

  /** Requests that a turn lets in now; infinite when there is no limit. */
  get limit(): number {
    return this.#limit;
  }

  /** A request wants in. After `true`, {@link leave} is due once. */
  enter(): boolean {
    if (!this.#isInTurn && this.#limits.turnTargetMs > 0) this.#beginTurn();
    const isFull = this.#isInTurn && this.#entered >= turnRequestsMin && this.#isFull();
    if (isFull || this.#inFlight >= this.#limits.inFlightMax) {
      this.#shed += 1;
      this.#hasRefused = true;
      return false;
    }
    this.#inFlight += 1;
    this.#entered += 1;
    this.#enteredPart += 1;
    return true;
  }

  /** A request that was let in is over. */
  leave(): void {
    this.#inFlight -= 1;
  }

  #beginTurn(): void {
    this.#isInTurn = true;
    this.#startMs = this.#ports.monotonicMs();
    this.#partStartMs = this.#startMs;
    this.#entered = 0;
    this.#enteredPart = 0;
    this.#hasRefused = false;
    this.#noteRest();
    this.#ports.afterTurn(this.#endTurn);
  }

  /** Also after a short turn: what came before a rest says nothing of what comes after it. */
  #noteRest(): void {
    const idleMs = this.#ports.idleMs();
    if (idleMs - this.#idleMs > this.#lastMs * idleShare) {
      this.#lastMs = 0;
      this.#beforeMs = 0;
    }
  }

  /** Asked once the turn has let in what it always does. */
  #isFull(): boolean {
    if (Number.isFinite(this.#limit)) return this.#isPartFull();
    if (!this.#isNotable(this.#lastMs)) return false;
    const lengthMs = this.#ports.monotonicMs() - this.#startMs;
    if (!this.#isLong(lengthMs) || !(this.#grows(lengthMs) || this.#stands(lengthMs))) return false;
    const fitting = (this.#entered * this.#limits.turnTargetMs * keptShare) / lengthMs;
    this.#limit = Math.max(turnRequestsMin, fitting);
    this.#shedBefore = this.#shed;
    this.#ports.onOverload(true, 0);
    return true;
  }

  /** Whether the queue grows, as far as a turn of that length tells: more came in each turn than in the one before. */
  #grows(lengthMs: number): boolean {
    const isThird = this.#beforeMs > 0;
    return isThird && this.#lastMs > this.#beforeMs * grownShare && lengthMs > this.#lastMs * grownShare;
  }

  /** Whether the queue is long and not being worked off. */
  #stands(lengthMs: number): boolean {
    return this.#isLong(this.#beforeMs) && this.#isLong(this.#lastMs) && lengthMs >= this.#beforeMs * drainedShare;
  }

  #isPartFull(): boolean {
    if (this.#enteredPart < this.#limit) return false;
    const nowMs = this.#ports.monotonicMs();
    if (nowMs - this.#partStartMs < this.#limits.turnTargetMs * partShare) return true;
    this.#adapt(nowMs);
    this.#partStartMs = nowMs;
    this.#enteredPart = 0;
    return false;
  }

  #afterTurn(): void {
    const nowMs = this.#ports.monotonicMs();
    this.#isInTurn = false;
    if (Number.isFinite(this.#limit)) this.#adapt(nowMs);
    this.#beforeMs = this.#lastMs;
    this.#lastMs = nowMs - this.#startMs;
    this.#idleMs = this.#ports.idleMs();
  }

  /** Sets the limit by how long the turn has become. */
  #adapt(nowMs: number): void {
    const { turnTargetMs } = this.#limits;
    const keptMs = turnTargetMs * keptShare;
    const lengthMs = nowMs - this.#startMs;
    if (this.#hasRefused) this.#shedMs = nowMs;
    if (nowMs - this.#shedMs > calmMs) {
      this.#limit = Number.POSITIVE_INFINITY;
      this.#ports.onOverload(false, this.#shed - this.#shedBefore);
    } else if (lengthMs > keptMs) {
      this.#limit = Math.max(partRequestsMin, this.#limit * Math.max(cutMin, keptMs / lengthMs));
    } else if (lengthMs < turnTargetMs * growShare && this.#hasRefused) {
      this.#limit = Math.max(turnRequestsMin, this.#limit * growth);
    }
  }

  #isNotable(lengthMs: number): boolean {
    return lengthMs > this.#limits.turnTargetMs * notableShare;
  }

  #isLong(lengthMs: number): boolean {
    return lengthMs > this.#limits.turnTargetMs;
  }
}
