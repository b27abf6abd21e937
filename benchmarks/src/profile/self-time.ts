import { basename } from 'node:path';

/** The part of a V8 CPU profile (`.cpuprofile`) that is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  /** The node that was running at each sample. */
  readonly samples: readonly number[];
  /** Microseconds between a sample and the one before it. */
  readonly timeDeltas: readonly number[];
}

/** Whose code took the time. */
export type Owner = string;

/** Time that a function, or all functions of an owner, took without those that they called. */
export interface SelfTime {
  /** Function, or owner where times are added up by owner. */
  readonly name: string;
  /** File and line; empty for what is not JavaScript. */
  readonly place: string;
  /** `native` (system calls, parser, collector), `node`, a package's name, or `own code`. */
  readonly owner: Owner;
  /** Of all time that was not idle: 0 to 1. */
  readonly share: number;
}

/** Functions by the time that they took themselves, over all callers; the longest first. */
export function selfTimes(profile: CpuProfile): readonly SelfTime[] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const spent = new Map<string, { entry: Omit<SelfTime, 'share'>; microseconds: number }>();
  let total = 0;
  profile.samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = frames.get(id) ?? { functionName: '?', url: '', lineNumber: 0 };
    if (functionName === '(idle)') return;
    // The time until the next sample is spent where this one was taken.
    const microseconds = profile.timeDeltas[index + 1] ?? 0;
    total += microseconds;
    const key = `${functionName} ${url} ${lineNumber}`;
    const known = spent.get(key);
    if (known !== undefined) known.microseconds += microseconds;
    else {
      const place = url === '' ? '' : `${basename(url)}:${lineNumber + 1}`;
      spent.set(key, { entry: { name: functionName || '(anonymous)', place, owner: ownerOf(url) }, microseconds });
    }
  });
  return [...spent.values()]
    .map(({ entry, microseconds }) => ({ ...entry, share: total === 0 ? 0 : microseconds / total }))
    .toSorted((left, right) => right.share - left.share);
}

/** The same times added up by whose code it is. */
export function selfTimesByOwner(times: readonly SelfTime[]): readonly SelfTime[] {
  const shares = new Map<Owner, number>();
  for (const { owner, share } of times) shares.set(owner, (shares.get(owner) ?? 0) + share);
  return [...shares]
    .map(([owner, share]) => ({ name: owner, place: '', owner, share }))
    .toSorted((left, right) => right.share - left.share);
}

/** What the project has written itself, as the profile names its owner. */
export const ownCode: Owner = 'own code';

function ownerOf(url: string): Owner {
  // undici's HTTP parser is WebAssembly.
  if (url === '' || url.startsWith('wasm:')) return 'native';
  if (url.startsWith('node:')) return 'node';
  return /\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\/(?!.*\/node_modules\/)/.exec(url)?.[1] ?? ownCode;
}
