import type { StatusAnswer } from '../status/status-pages.ts';
import type { MetricList } from '../status/metrics.ts';
import { RestartPlan } from './restart-plan.ts';
import type { FromWorker, ProxyPorts, ToWorker } from './worker-messages.ts';

/** A worker's process as the first one sees it. */
export interface WorkerHandle {
  send(message: ToWorker): void;
  onMessage(take: (message: FromWorker) => void): void;
  /** Told once, however it ended. */
  onExit(told: (how: string) => void): void;
  kill(): void;
}

/** What the crew works with. */
export interface CrewPorts {
  readonly workers: number;
  readonly start: (slot: number) => WorkerHandle;
  readonly monotonicMs: () => number;
  /** Messages that are not the crew's own. */
  readonly onMessage: (slot: number, message: FromWorker, send: (message: ToWorker) => void) => void;
  readonly onCrew: (slots: readonly number[]) => void;
  /** A worker is gone, asked to or not. */
  readonly onEnded: (slot: number) => void;
  /** A worker listens; told again for each that is started again. */
  readonly onListening: (slot: number, ports: ProxyPorts) => void;
  /** A worker ended though nobody asked it to; `pauseMs` until it is started again. */
  readonly onCrash: (slot: number, how: string, pauseMs: number) => void;
  /** These workers had not ended in time when they were stopped, and are killed. */
  readonly onLate: (slots: readonly number[]) => void;
  /** A worker cannot start at all. */
  readonly onFailed: (sentence: string) => void;
}

/** How often workers are asked whether they live: how often `tick` is to be called. */
export const pingIntervalMs = 1000;

/** After so many pings without a word a worker is silent: nobody waits for its pages and metrics. */
export const silentPings = 2;

/** After so many it hangs, and is killed: 20 seconds in which it carried nothing. */
export const hangingPings = 20;

/** As long as that for one that does not listen yet: it loads its code, for which a starved machine takes its time, before it can answer. */
export const startingPings = 60;

/** A page or metrics that a worker does not give in so many milliseconds is left out. */
const questionTimeoutMs = 5000;

/** So long may a probe for readiness take: those who ask wait for a second. */
export const readyTimeoutMs = 800;

interface Member {
  readonly handle: WorkerHandle;
  readonly sinceMs: number;
  listens: boolean;
  /** Pings since its last word. */
  unanswered: number;
  /** Why it was killed. */
  reason: string | undefined;
}

interface Question {
  readonly slot: number;
  readonly resolve: (answer: unknown) => void;
}

/** The workers of a node: as many as there shall be, started again when they end, asked and stopped together. */
export class WorkerCrew {
  readonly #ports: CrewPorts;
  readonly #members = new Map<number, Member>();
  readonly #plans = new Map<number, RestartPlan>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  readonly #questions = new Map<number, Question>();
  #lastQuestion = 0;
  #stopped: (() => void) | undefined;
  #stopping: Promise<void> | undefined;

  constructor(ports: CrewPorts) {
    this.#ports = ports;
  }

  start(): void {
    for (let slot = 1; slot <= this.#ports.workers; slot += 1) this.#startWorker(slot);
  }

  /** Workers that listen, lowest first. */
  get listening(): readonly number[] {
    const slots = [...this.#members].filter(([, { listens }]) => listens).map(([slot]) => slot);
    return slots.toSorted((left, right) => left - right);
  }

  /** Asks one worker for a page; `undefined` when it does not answer. */
  page(slot: number, method: string, target: string, timeoutMs?: number): Promise<StatusAnswer | undefined> {
    return this.#ask(slot, (id) => ({ kind: 'page', id, method, target }), timeoutMs);
  }

  /** Asks one worker for its metrics; `undefined` when it does not answer. */
  metrics(slot: number): Promise<MetricList | undefined> {
    return this.#ask(slot, (id) => ({ kind: 'metrics', id }));
  }

  /** Tells all workers. */
  tell(message: ToWorker): void {
    for (const { handle } of this.#members.values()) handle.send(message);
  }

  /**
   * Asks all workers whether they live, and kills those that hang. Pings are counted and not time: a first process that stood
   * still itself finds nobody guilty.
   */
  tick(): void {
    for (const [slot, member] of this.#members) {
      const pings = member.listens ? hangingPings : startingPings;
      if (member.unanswered >= pings) {
        member.reason = `no answer to ${pings} pings in ${(pings * pingIntervalMs) / 1000} s`;
        member.handle.kill();
        continue;
      }
      member.unanswered += 1;
      if (member.unanswered > silentPings) this.#giveUpQuestions(slot);
      member.handle.send({ kind: 'ping' });
    }
  }

  /**
   * Stops all workers and waits for their ends. No worker is started again.
   * @param limitMs what has not ended then is killed
   */
  stop(limitMs: number): Promise<void> {
    this.#stopping ??= new Promise((resolve) => {
      const limit = setTimeout(() => {
        this.#ports.onLate([...this.#members.keys()]);
        this.kill();
      }, limitMs);
      this.#stopped = () => {
        clearTimeout(limit);
        resolve();
      };
      for (const pause of this.#pauses) clearTimeout(pause);
      this.tell({ kind: 'stop' });
      if (this.#members.size === 0) this.#stopped();
    });
    return this.#stopping;
  }

  /** Ends all workers at once. */
  kill(): void {
    for (const { handle } of this.#members.values()) handle.kill();
  }

  #startWorker(slot: number): void {
    const member: Member = {
      handle: this.#ports.start(slot),
      sinceMs: this.#ports.monotonicMs(),
      listens: false,
      unanswered: 0,
      reason: undefined,
    };
    this.#members.set(slot, member);
    member.handle.onMessage((message) => this.#take(slot, member, message));
    member.handle.onExit((how) => this.#ended(slot, member, how));
    this.#ports.onCrew([...this.#members.keys()]);
  }

  #take(slot: number, member: Member, message: FromWorker): void {
    member.unanswered = 0; // Whatever it says, it lives.
    if (message.kind === 'pong') return;
    if (message.kind === 'listening') {
      member.listens = true;
      this.#ports.onListening(slot, message.ports);
    } else if (message.kind === 'failed') {
      this.#ports.onFailed(message.sentence);
      member.handle.kill();
    } else if (message.kind === 'page') this.#answer(message.id, message.answer);
    else if (message.kind === 'metrics') this.#answer(message.id, message.metrics);
    else this.#ports.onMessage(slot, message, (reply) => member.handle.send(reply));
  }

  #ended(slot: number, { sinceMs, reason }: Member, how: string): void {
    this.#members.delete(slot);
    this.#giveUpQuestions(slot);
    this.#ports.onEnded(slot);
    this.#ports.onCrew([...this.#members.keys()]);
    if (this.#stopping !== undefined) {
      if (this.#members.size === 0) this.#stopped?.();
      return;
    }
    const plan = this.#plans.get(slot) ?? new RestartPlan();
    this.#plans.set(slot, plan);
    const pauseMs = plan.pauseAfter(this.#ports.monotonicMs() - sinceMs);
    this.#ports.onCrash(slot, reason ?? how, pauseMs);
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      this.#startWorker(slot);
    }, pauseMs);
    this.#pauses.add(pause);
  }

  #ask<Answer>(
    slot: number,
    question: (id: number) => ToWorker,
    timeoutMs: number = questionTimeoutMs,
  ): Promise<Answer | undefined> {
    const member = this.#members.get(slot);
    if (member === undefined || member.unanswered > silentPings) return Promise.resolve(undefined);
    this.#lastQuestion += 1;
    const id = this.#lastQuestion;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#answer(id, undefined), timeoutMs);
      const settle = (answer: unknown): void => {
        clearTimeout(timer);
        resolve(answer as Answer | undefined);
      };
      this.#questions.set(id, { slot, resolve: settle });
      member.handle.send(question(id));
    });
  }

  #answer(id: number, answer: unknown): void {
    const asker = this.#questions.get(id);
    this.#questions.delete(id);
    asker?.resolve(answer);
  }

  /** Nobody is to wait for a worker that is silent or gone. */
  #giveUpQuestions(slot: number): void {
    for (const [id, question] of this.#questions) if (question.slot === slot) this.#answer(id, undefined);
  }
}
