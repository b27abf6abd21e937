import type { Violation, Workspace } from '../repository.ts';

/** Where the outside world may be touched: entries, configuration, and the folders that hold adapters. See .oxlintrc.json. */
const SHELL =
  /\/(?:main|config)\.ts$|\.entry\.ts$|\/adapters\/|^apps\/gateway\/src\/(?:transport|listeners)\/|^apps\/admin-api\/src\/database\//;

/** What the linter cannot express: the present moment without a clock. */
const PRESENT_MOMENT =
  /\bnew Date\(\s*\)|\bperformance\.now\(|\bprocess\.hrtime\b|\bcrypto\.randomUUID\(|\brandomUUID\(/;

/** Reads of clock and randomness in the pure part of packages and apps. `Date.now`, `Math.random`, `fetch`: see .oxlintrc.json. */
export function checkPurity(workspaces: readonly Workspace[]): readonly Violation[] {
  return workspaces
    .filter(({ kind, shortName }) => (kind === 'packages' || kind === 'apps') && shortName !== 'gwctl')
    .flatMap(({ sources }) => sources)
    .filter((file) => !file.isTest && !SHELL.test(file.path))
    .flatMap((file) =>
      file.text.split('\n').flatMap((line, index) => {
        const code = line.replace(/^\s*(?:\*|\/\/|\/\*).*$/, '');
        const found = PRESENT_MOMENT.exec(code)?.[0];
        if (found === undefined) return [];
        const message = `${found.replace(/\($/, '()')}: clock and randomness are passed in`;
        return [{ path: `${file.path}:${index + 1}`, rule: 'ambient-world', message }];
      }),
    );
}
