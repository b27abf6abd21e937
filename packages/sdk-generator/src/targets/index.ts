import type { SdkFile, SdkTarget } from '../target.ts';
import { csharp } from './csharp/index.ts';
import { goTarget } from './go/index.ts';
import { java } from './java/index.ts';
import { phpTarget } from './php/index.ts';
import { pythonTarget } from './python/index.ts';
import { typescriptFetch } from './typescript-fetch/index.ts';

/** The languages that libraries are made for, in the order in which they are listed. */
export const sdkTargets = ['typescript-fetch', 'python', 'go', 'java', 'csharp', 'php'] as const;

export type SdkTargetName = (typeof sdkTargets)[number];

/** How each of them is made. */
export const targets: Readonly<Record<SdkTargetName, SdkTarget<Iterable<SdkFile>>>> = {
  'typescript-fetch': typescriptFetch,
  python: pythonTarget,
  go: goTarget,
  java,
  csharp,
  php: phpTarget,
};
