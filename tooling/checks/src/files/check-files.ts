import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Violation } from '../repository.ts';
import { repositoryFiles } from './repository-files.ts';

/** Beyond this a file holds more than one idea. Generated files and tests may be longer. */
export const FILE_LINES_MAX = 300;

const SOURCE = /\.(ts|mjs)$/;
const LONGER_ALLOWED = /\.gen\.ts$|\.test\.(ts|mjs)$|\.case\.ts$|\/testdata\//;

/** Files that are data from elsewhere, or written by a tool. */
const FOREIGN = /^pnpm-lock\.yaml$|\/testdata\/|\.gen\.(ts|json)$|^examples\/.*\.(yaml|json)$/;
const TEXT = /\.(ts|mjs|js|json|jsonc|ya?ml|md|sh|html|css|txt)$|^\.ci\/run$/;

/** What ties a repository to one machine. A URL path that only looks like a folder is let through by the lookbehind. */
const MACHINE_BOUND: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: 'a folder of one machine',
    pattern: /(?<![\w.}])\/(?:work\/(?:main|shared)|root|home\/[a-z][\w-]*|Users\/\w+)(?=\/|\b)/,
  },
  { what: 'a fixed temporary folder', pattern: /(?<![\w.}])\/tmp\/[\w-]/ },
  {
    what: 'the host of a package registry',
    pattern: /\b(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com)\b/,
  },
];

/** Files that are too long, and lines that hold for one machine only. */
export function checkFiles(root: string): readonly Violation[] {
  return repositoryFiles(root)
    .filter((path) => TEXT.test(path) && !FOREIGN.test(path))
    .flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n');
      return [...lengthViolation(path, lines.length - 1), ...machineViolations(path, lines)];
    });
}

function lengthViolation(path: string, lines: number): readonly Violation[] {
  if (!SOURCE.test(path) || LONGER_ALLOWED.test(path) || lines <= FILE_LINES_MAX) return [];
  return [{ path, rule: 'file-length', message: `${lines} lines; split it, the limit is ${FILE_LINES_MAX}` }];
}

function machineViolations(path: string, lines: readonly string[]): readonly Violation[] {
  return lines.flatMap((line, index) =>
    MACHINE_BOUND.filter(({ pattern }) => pattern.test(line)).map(({ what }) => ({
      path: `${path}:${index + 1}`,
      rule: 'machine-bound',
      message: `this names ${what}`,
    })),
  );
}
