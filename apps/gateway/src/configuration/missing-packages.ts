import type { Plugin, Trigger } from '@portcullis/plugin-runtime';
import { problems, renderProblem } from '../proxy/problems.ts';

/** What an instance and an inline entry have in common. */
export interface NamesPackage {
  readonly name: string;
  readonly trigger?: Trigger;
  readonly stage?: unknown;
}

/**
 * What stands for packages that this gateway does not have: a custom package whose code the operator did not install, or a
 * built-in one of a later release. What the instance would have done is not known, so every request that it matches is refused,
 * whatever its trigger says; all others are served. Source: decisions, 9.
 */
export class MissingPackages {
  readonly #installed: ReadonlySet<string>;
  readonly #standIns = new Map<string, Plugin>();

  constructor(installed: readonly Plugin[]) {
    this.#installed = new Set(installed.map(({ name }) => name));
  }

  /** The installed plugins are to be joined by these. */
  get standIns(): readonly Plugin[] {
    return [...this.#standIns.values()];
  }

  isMissing(name: string): boolean {
    return !this.#installed.has(name);
  }

  /** The record as it is, or one that refuses the requests that it matches. */
  replaced<Entry extends NamesPackage>(entry: Entry): Entry {
    if (!this.isMissing(entry.name)) return entry;
    if (!this.#standIns.has(entry.name)) this.#standIns.set(entry.name, standIn(entry.name));
    const { stage: _stage, ...rest } = entry;
    return { ...rest, trigger: 'before_request' } as Entry;
  }
}

/** What the acknowledgement says of it. */
export function missingMessage(name: string): string {
  return `the package ${name.slice(0, 64)} is not installed here; requests that this matches are answered with 503`;
}

function standIn(name: string): Plugin {
  return {
    name,
    version: '0.0.0',
    category: 'enforcement',
    triggers: ['before_request'],
    compile: () => ({
      ok: true,
      setup: () => ({
        request: ({ facts }) => ({
          status: problems.packageMissing.status,
          ...renderProblem(problems.packageMissing, facts.requestId),
        }),
      }),
    }),
  };
}
