import type { ConfigurationHead } from '@portcullis/resources';
import type { Judgement } from '../control-plane/follower.ts';
import { system } from '../adapters/system.ts';
import { ConfigurationSecrets } from '../secret-references/configuration-secrets.ts';
import type { ConfigurationError } from './configuration-errors.ts';
import {
  attempt,
  between,
  describe,
  everything,
  foreignTo,
  isAbout,
  isEmpty,
  turnOfTheLoop,
  type Place,
} from './configuration-facts.ts';
import { ConfigurationKeeper } from './configuration-keeper.ts';
import type { BuildOutcome } from './build-outcome.ts';
import { GenerationBuilder } from './generation-builder.ts';
import { Lifetimes } from './lifetimes.ts';
import type { ManagerPorts, Refusal, Verdict } from './manager-ports.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { receiveConfiguration, type ReceivedConfiguration } from './received-configuration.ts';
import { RecordSet, type RecordChanges } from './record-set.ts';
import { TimeSlices } from './time-slices.ts';

/**
 * Takes configurations in, whole or as deltas: read, verify the hash, build, swap, acknowledge, keep on disk. What is refused
 * changes nothing. One at a time. Source: design, gateway, Configuration.
 */
export class ConfigurationManager {
  readonly #ports: ManagerPorts;
  readonly #lifetimes = new Lifetimes();
  readonly #keeper: ConfigurationKeeper;
  readonly #secrets: ConfigurationSecrets | undefined;
  #records: RecordSet | undefined;
  #builder: GenerationBuilder | undefined;
  /** The head of what is served. */
  #head: ConfigurationHead | undefined;
  #isTaking = false;
  /** Goes through the records for the disk: they must not change meanwhile. */
  #collecting: Promise<unknown> | undefined;
  /** Acknowledgements go out in their order, each once what it is about is on disk. */
  #answers: Promise<void> = Promise.resolve();
  /** Configurations come when they come, and so do secrets. */
  readonly #builds = new OneAtATime();
  #lastNumber = 0;
  /** Hash of what was refused last: it need not be sent again. */
  #refused: string | undefined;
  #acknowledged: string | undefined;
  /** Mistakes of what the served configuration leaves out. */
  #leftOut: readonly ConfigurationError[] = [];
  #applyMs = 0;

  /** The records of what is served, secrets included; for those who leave them out. */
  get records(): RecordSet | undefined {
    return this.#records;
  }

  constructor(ports: ManagerPorts) {
    this.#ports = ports;
    this.#secrets =
      ports.vaults &&
      new ConfigurationSecrets({
        vaults: ports.vaults,
        setTimer: ports.setTimer ?? system.setTimer,
        onChange: () => void this.#renewSecrets(),
      });
    this.#keeper = new ConfigurationKeeper({
      monotonicMs: ports.monotonicMs,
      lines: async () => (this.#isTaking ? undefined : (this.#collecting = this.#lines())),
      save: (lines) => ports.cache.save(lines),
      onFailed: (error) => {
        const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
        ports.log.warn({ code }, 'the configuration could not be cached: a restart needs the control plane');
      },
    });
  }

  /** What is served, and what was refused after it. */
  get known(): (Place & { readonly refused?: string }) | undefined {
    if (this.#head === undefined) return undefined;
    const { revision, hash } = this.#head;
    return this.#refused === undefined ? { revision, hash } : { revision, hash, refused: this.#refused };
  }

  /** How long the last configuration took from its text to serving, in milliseconds. */
  get applyMs(): number {
    return this.#applyMs;
  }

  /** Serves the newest cached configuration that still builds. @returns whether there was one */
  async startFromCache(): Promise<boolean> {
    const { cache, log } = this.#ports;
    const kept = cache.load((file, reason) => log.warn({ file, reason }, 'a cached configuration cannot be read'));
    for await (const { file, pieces } of kept) {
      const slices = this.#slices();
      const reading = await receiveConfiguration(pieces(), slices);
      const verdict: Verdict = reading.ok
        ? await this.#serve(reading.received, slices)
        : { kind: 'refused', errors: [reading.error] };
      if (reading.ok && verdict.kind === 'served') {
        log.info({ revision: reading.received.head.revision }, 'serving the cached configuration');
        return true;
      }
      const errors = verdict.kind === 'refused' ? verdict.errors : [];
      log.warn({ file, errors }, 'a cached configuration cannot be served');
      this.#records = undefined;
    }
    return false;
  }

  /** Takes what the control plane sent. Resolves when it is served or refused; the answer follows, see {@link settled}. */
  async take(pieces: readonly string[]): Promise<Judgement> {
    const startedMs = this.#ports.monotonicMs();
    this.#isTaking = true;
    await this.#collecting;
    const { place, verdict } = await this.#builds
      .run(async () => this.#judge(pieces))
      .finally(() => {
        this.#isTaking = false;
        this.#keeper.resume();
      });
    if (verdict.kind === 'unfit') return 'unfit';
    const durationMs = this.#ports.monotonicMs() - startedMs;
    if (verdict.kind === 'served' && place !== undefined) {
      this.#applyMs = durationMs;
      this.#refused = undefined;
      const { revision } = place;
      this.#ports.log.info({ revision, duration_ms: Math.round(durationMs) }, 'serving a new configuration');
      this.#acknowledge(place, durationMs, undefined, this.#keeper.offer());
      return 'judged';
    }
    const { errors, mayPass = false } = verdict as Refusal;
    this.#ports.log.warn({ ...place, errors }, 'refused a configuration; the one before goes on');
    if (place === undefined) return 'failed';
    if (!mayPass) this.#refused = place.hash;
    this.#acknowledge(place, durationMs, errors);
    return mayPass ? 'failed' : 'judged';
  }

  /** The control plane confirmed what is served, perhaps after a start from the cache: it is told once. */
  confirm(): void {
    const served = this.#head;
    void this.#ports.cache.stillUsed(); // Never rejects.
    if (served === undefined || this.#refused !== undefined || this.#acknowledged === served.hash) return;
    this.#acknowledge(served, 0, undefined);
  }

  /** Resolves when the answers to all that was taken are out. */
  async settled(): Promise<void> {
    await this.#answers;
  }

  /** Writes to disk what is not there yet. */
  async stop(): Promise<void> {
    this.#secrets?.stop();
    await this.#builds.idle();
    await this.#keeper.stop();
    await this.#answers;
  }

  /** Builds once more what is served, with the secrets as they are now: what refers to a changed one is set up anew, and all else goes on. */
  async #renewSecrets(): Promise<void> {
    await this.#builds.run(async () => {
      const head = this.#head;
      if (head === undefined || this.#records === undefined) return;
      const built = await this.#build(head, this.#records, { upserts: [], removals: [] }, this.#slices());
      if (built.ok) {
        const before = this.#leftOut;
        this.#swap(built);
        this.#ports.log.info({ revision: head.revision }, 'secrets that the configuration refers to have changed');
        // What cannot be served is part of the answer.
        const isOther = JSON.stringify(before) !== JSON.stringify(this.#leftOut);
        if (isOther && this.#refused === undefined) this.#acknowledge(head, 0, undefined);
      } else this.#ports.log.warn({ errors: built.errors }, 'a changed secret could not be put in its place');
    });
  }

  async #judge(pieces: readonly string[]): Promise<{ readonly place: Place | undefined; readonly verdict: Verdict }> {
    const slices = this.#slices();
    try {
      const reading = await receiveConfiguration(pieces, slices);
      if (reading.ok) return { place: reading.received.head, verdict: await this.#serve(reading.received, slices) };
      // What is cut off or garbled on its way says nothing about the configuration.
      const isForm = reading.error.code === 'format_unknown';
      const verdict: Verdict = { kind: 'refused', errors: [reading.error], mayPass: !isForm };
      return { place: isForm ? reading.place : undefined, verdict };
    } catch (error) {
      return { place: undefined, verdict: { kind: 'refused', errors: [describe(error)], mayPass: true } };
    }
  }

  async #serve(received: ReceivedConfiguration, slices: TimeSlices): Promise<Verdict> {
    const { head } = received;
    const served = this.#head;
    const foreign = served && foreignTo(served, head);
    if (foreign !== undefined) return { kind: 'refused', errors: [foreign], mayPass: true };
    if (head.since !== null && !isAbout(head.since, served)) return { kind: 'unfit' };
    if (served !== undefined && head.revision < served.revision) {
      if (head.since !== null) return { kind: 'unfit' };
      const revisions = { revision: head.revision, before: served.revision };
      this.#ports.log.warn(revisions, 'the control plane went back to an older revision');
    }
    const records = this.#records ?? new RecordSet(head);
    const servesNothing = isEmpty(records);
    const intake = await records.take(received, slices);
    if (!intake.ok) {
      if (head.since !== null) return { kind: 'unfit' };
      const pointer = intake.reason === 'other_hash' ? '/hash' : '/end/total';
      return { kind: 'refused', errors: [{ pointer, message: 'is not that of the records' }], mayPass: true };
    }
    if (served !== undefined && !servesNothing && isEmpty(records)) {
      await intake.undo(slices);
      const message = 'an empty configuration does not replace one that is served';
      return { kind: 'refused', errors: [{ pointer: '/resources', message }] };
    }
    const built = await this.#build(head, records, intake.changes, slices);
    if (!built.ok) {
      await intake.undo(slices);
      return { kind: 'refused', errors: built.errors };
    }
    this.#records = records;
    this.#head = head;
    this.#swap(built);
    return { kind: 'served' };
  }

  /** Builds out of what is there, or everything when the last build failed half-way. */
  async #build(
    head: ConfigurationHead,
    records: RecordSet,
    changes: RecordChanges,
    slices: TimeSlices,
  ): Promise<BuildOutcome> {
    const number = (this.#lastNumber += 1);
    const { live, build } = this.#ports;
    const known = this.#builder;
    const secrets = this.#secrets;
    const builder =
      known ?? new GenerationBuilder({ ...build, ...(secrets && { secrets }) }, this.#lifetimes, live.current);
    this.#builder = builder;
    const name = { number, revision: head.revision, hash: head.hash, tenantId: head.tenant_id };
    const outcome = await attempt(async () =>
      builder.build(name, known ? changes : await everything(records, changes, slices), slices),
    );
    if (outcome.ok) {
      this.#lifetimes.begin(number);
      return outcome;
    }
    builder.abandon(number);
    this.#builder = undefined;
    // Its vaults were in place while it was built.
    if (live.current !== undefined) this.#ports.vaults?.put(live.current.tenantId, live.current.vaults);
    return outcome;
  }

  #swap({ generation, leftOut }: Extract<BuildOutcome, { ok: true }>): void {
    this.#secrets?.serve(generation.tenantId, generation.vaults);
    this.#ports.live.swap(generation);
    const { revision } = generation;
    const isNews = JSON.stringify(leftOut) !== JSON.stringify(this.#leftOut);
    this.#leftOut = leftOut;
    if (leftOut.length > 0 && isNews) {
      this.#ports.log.warn({ revision, errors: leftOut }, 'parts of the configuration cannot be served');
    }
  }

  /** The kept form is the sent one: a head, the records, an end. */
  async #lines(): Promise<Iterable<string> | undefined> {
    if (this.#head === undefined || this.#records === undefined) return undefined;
    const head = JSON.stringify({ ...this.#head, since: null });
    const lines = await this.#records.lines(this.#slices());
    const end = JSON.stringify({ end: { records: lines.length, removals: 0, total: lines.length } });
    return between(head, lines, end);
  }

  #slices(): TimeSlices {
    const { monotonicMs, pause = turnOfTheLoop } = this.#ports;
    return new TimeSlices({ monotonicMs, pause });
  }

  /** @param kept what is waited for: the design puts the copy on disk before the answer */
  #acknowledge(
    { revision, hash }: Place,
    durationMs: number,
    refusal: readonly ConfigurationError[] | undefined,
    kept?: Promise<void>,
  ): void {
    if (refusal === undefined) this.#acknowledged = hash;
    const status = refusal === undefined ? 'applied' : 'rejected';
    const errors = [...(refusal ?? this.#leftOut)];
    this.#answers = this.#answers
      .then(() => kept)
      .then(() => this.#ports.acknowledge({ revision, hash, status, duration_ms: durationMs, errors }))
      .catch((error: unknown) => this.#ports.log.warn({ errors: [describe(error)] }, 'an answer could not be sent'));
  }
}
