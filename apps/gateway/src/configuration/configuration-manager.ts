import { hash } from 'node:crypto';
import type { ConfigurationAck, ConfigurationDocument } from '@portcullis/resources';
import { buildGeneration, type BuildOutcome, type BuildPorts } from './build-generation.ts';
import type { ConfigurationCache } from './configuration-cache.ts';
import { ErrorList, type ConfigurationError } from './configuration-errors.ts';
import type { LiveConfiguration } from './live-configuration.ts';
import { checkDocument } from './read-document.ts';

/** What the manager works with. */
export interface ManagerPorts {
  readonly live: LiveConfiguration;
  readonly cache: ConfigurationCache;
  readonly build: BuildPorts;
  readonly monotonicMs: () => number;
  readonly acknowledge: (ack: ConfigurationAck) => Promise<void>;
  readonly log: ManagerLog;
}

/** What the manager tells the operator. */
export interface ManagerLog {
  info(details: Readonly<Record<string, unknown>>, message: string): void;
  warn(details: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Takes documents in: validate, build, swap, persist, acknowledge. What is refused changes nothing.
 * Source: design, gateway, Configuration.
 */
export class ConfigurationManager {
  readonly #ports: ManagerPorts;
  /** Revision and hash of the document that was judged last, served or refused: it need not be sent again. */
  #judged: { revision: number; hash: string } | undefined;
  #acknowledged: string | undefined;
  /** Mistakes of the routes that the served configuration leaves out. */
  #leftOut: readonly ConfigurationError[] = [];
  #applyMs = 0;

  constructor(ports: ManagerPorts) {
    this.#ports = ports;
  }

  /** What the control plane need not send again. */
  get known(): { revision: number; hash: string } | undefined {
    return this.#judged;
  }

  /** How long the last configuration took from its text to serving, in milliseconds. */
  get applyMs(): number {
    return this.#applyMs;
  }

  /** Serves the newest cached configuration that still builds. @returns whether there was one */
  async startFromCache(): Promise<boolean> {
    const texts = await this.#ports.cache.load((file, reason) =>
      this.#ports.log.warn({ file, reason }, 'a cached configuration cannot be read'),
    );
    for (const text of texts) {
      const errors = new ErrorList();
      const document = parse(text, errors);
      const built = document && this.#build(document);
      if (document === undefined || built?.ok !== true) {
        const mistakes = built?.ok === false ? built.errors : errors.errors;
        this.#ports.log.warn({ errors: mistakes }, 'a cached configuration cannot be served');
        continue;
      }
      this.#swap(built);
      this.#judged = { revision: document.revision, hash: document.hash };
      this.#ports.log.info({ revision: document.revision }, 'serving the cached configuration');
      return true;
    }
    return false;
  }

  /** Takes a document that the control plane sent. Resolves when it is served or refused, and the answer is out. */
  async take(text: string): Promise<void> {
    const startedMs = this.#ports.monotonicMs();
    const errors = new ErrorList();
    const document = parse(text, errors);
    if (document === undefined) {
      this.#ports.log.warn({ errors: errors.errors }, 'the control plane sent no configuration document');
      return;
    }
    checkHash(text, document.hash, errors);
    const refusal = errors.errors.length > 0 ? errors.errors : this.#serve(document);
    const durationMs = this.#ports.monotonicMs() - startedMs;
    this.#judged = { revision: document.revision, hash: document.hash };
    const { revision } = document;
    if (refusal === undefined) {
      this.#applyMs = durationMs;
      this.#ports.log.info({ revision, duration_ms: Math.round(durationMs) }, 'serving a new configuration');
      await this.#persist(text);
    } else this.#ports.log.warn({ revision, errors: refusal }, 'refused a configuration; the one before goes on');
    await this.#acknowledge(document, durationMs, refusal);
  }

  /** The control plane confirmed what is served, perhaps after a start from the cache: it is told once. */
  async confirm(): Promise<void> {
    const { current } = this.#ports.live;
    if (current === undefined || this.#judged?.hash !== current.hash || this.#acknowledged === current.hash) return;
    await this.#acknowledge(current, 0, undefined);
  }

  /** @returns why not; `undefined` when the document is served */
  #serve(document: ConfigurationDocument): readonly ConfigurationError[] | undefined {
    const { current } = this.#ports.live;
    if (current !== undefined && isEmpty(document)) {
      return [{ pointer: '/resources', message: 'an empty configuration does not replace one that is served' }];
    }
    const built = this.#build(document);
    if (!built.ok) return built.errors;
    this.#swap(built);
    return undefined;
  }

  #swap({ generation, leftOut, notActedOn }: Extract<BuildOutcome, { ok: true }>): void {
    this.#ports.live.swap(generation);
    this.#leftOut = leftOut;
    if (leftOut.length > 0) {
      this.#ports.log.warn(
        { revision: generation.revision, errors: leftOut },
        'parts of the configuration cannot be served',
      );
    }
    if (notActedOn.total > 0) {
      this.#ports.log.warn(
        { revision: generation.revision, ...notActedOn },
        'the configuration has fields that this gateway does not act on yet',
      );
    }
  }

  #build(document: ConfigurationDocument): BuildOutcome {
    try {
      return buildGeneration(document, this.#ports.build, this.#ports.live.current?.runtime);
    } catch (error) {
      const text = error instanceof Error ? error.message : 'unknown';
      return {
        ok: false,
        errors: [{ pointer: '', message: `the configuration could not be built: ${text}`.slice(0, 1024) }],
      };
    }
  }

  async #persist(text: string): Promise<void> {
    try {
      await this.#ports.cache.save(text);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
      this.#ports.log.warn({ code }, 'the configuration could not be cached: a restart needs the control plane');
    }
  }

  async #acknowledge(
    { revision, hash: ofDocument }: { readonly revision: number; readonly hash: string },
    durationMs: number,
    refusal: readonly ConfigurationError[] | undefined,
  ): Promise<void> {
    if (refusal === undefined) this.#acknowledged = ofDocument;
    await this.#ports.acknowledge({
      revision,
      hash: ofDocument,
      status: refusal === undefined ? 'applied' : 'rejected',
      duration_ms: durationMs,
      errors: [...(refusal ?? this.#leftOut)],
    });
  }
}

function parse(text: string, errors: ErrorList): ConfigurationDocument | undefined {
  try {
    return checkDocument(JSON.parse(text) as unknown, errors);
  } catch {
    errors.add('', 'is not JSON');
    return undefined;
  }
}

/** The hash is that of the text as it came: a schema's output may order fields otherwise. */
function checkHash(text: string, expected: string, errors: ErrorList): void {
  const { resources } = JSON.parse(text) as { resources: unknown };
  if (hash('sha256', JSON.stringify(resources)) !== expected)
    errors.add('/hash', 'is not the SHA-256 of the resources');
}

/** A document without anything to serve is taken for a fault while something is served. Source: design, Configuration. */
function isEmpty({ resources }: ConfigurationDocument): boolean {
  return resources.routes.length === 0 && resources.services.length === 0 && resources.upstreams.length === 0;
}
