import { existsSync, writeFileSync } from 'node:fs';
import { startProcess } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { gwctlArgs } from '../built-gwctl.test-support.ts';
import { gwctlHome } from '../fake-api.test-support.ts';
import { buildProgram } from '../program/program.ts';
import { completionOf } from './candidates.ts';
import { scripts } from './scripts.ts';

const sources = {
  entities: () => Promise.resolve(['routes', 'route', 'realms'].map((value) => ({ value, description: '' }))),
  contexts: () => ['first', 'second'].map((value) => ({ value, description: '' })),
};

async function completed(...words: string[]): Promise<string[]> {
  const { candidates, files } = await completionOf(
    buildProgram(() => undefined),
    words,
    sources,
  );
  return [...candidates.map(({ value }) => value), ...(files ? [':files'] : [])];
}

describe('what completes a command line', () => {
  it.each([
    [
      ['get', 'rou'],
      ['routes', 'route'],
    ],
    [['--context', 'first', 'get', 'rea'], ['realms']],
    [['get', 'routes', ''], []],
    [['context', 'u'], ['use']],
    [['context', 'use', 's'], ['second']],
    [
      ['get', '--context', ''],
      ['first', 'second'],
    ],
    [
      ['status', '-o', ''],
      ['table', 'json', 'yaml'],
    ],
    [['get', 'routes', '--order', 'd'], ['desc']],
    [['create', 'route', '--file', 'r'], [':files']],
    [['sync', ''], [':files']],
    [['completion', 'z'], ['zsh']],
    [['get', '--tenant-id', 'acme', 'realms', '--all-'], []],
    [
      ['get', '--al'],
      ['--all', '--allow-version-mismatch'],
    ],
    [['context', 'list', '--verb'], ['--verbose']],
    [['--api-url', ''], []],
    [['unheard-of', ''], []],
  ])('%j', async (words, expected) => {
    expect(await completed(...words)).toEqual(expected);
  });

  it('has every command that the help shows, and nothing hidden', async () => {
    const program = buildProgram(() => undefined);
    const shown = program
      .createHelp()
      .visibleCommands(program)
      .map((command) => command.name());
    expect(await completed('')).toEqual(shown.filter((name) => name !== 'help'));
  });
});

const shells = {
  bash: {
    path: '/bin/bash',
    /** Asks the completion function as readline does. */
    ask: (words: readonly string[]) => `source ./completion
COMP_WORDS=(gwctl ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_gwctl; printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  zsh: {
    path: '/usr/bin/zsh',
    ask: (
      words: readonly string[],
    ) => `compdef() { :; }; _describe() { print -rl -- "\${(@P)4}"; }; _files() { print -r -- files; }
source ./completion
words=(gwctl ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}
_gwctl || true`,
  },
  fish: {
    path: '/usr/bin/fish',
    ask: (words: readonly string[]) => `source ./completion; complete -C 'gwctl ${words.join(' ')}'`,
  },
} as const;

describe.each(Object.entries(shells))('%s', (shell, { path, ask }) => {
  it.skipIf(!existsSync(path))(`completes commands, entities, contexts and files (needs ${path})`, async () => {
    await using home = await gwctlHome();
    const contexts = {
      'prod:eu': { api_url: 'http://a:1', token: 't' },
      staging: { api_url: 'http://b:2', token: 't' },
    };
    home.write({ current: null, contexts });
    writeFileSync(`${home.path}/completion`, scripts[shell as keyof typeof shells]);
    const command = [process.execPath, ...gwctlArgs].map((word) => `'${word}'`).join(' ');
    writeFileSync(`${home.path}/gwctl`, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
    const completions = async (...words: string[]): Promise<string[]> => {
      await using child = await startProcess({
        command: path,
        args: ['-c', ask(words)],
        cwd: home.path,
        env: { GWCTL_CONFIG: home.config, PATH: `${home.path}:${process.env['PATH']}`, HOME: home.path },
      });
      expect(await child.exited).toMatchObject({ code: 0 });
      expect(child.stderr()).toBe('');
      return child
        .stdout()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(/(?<!\\):|\t/)[0] ?? '');
    };
    expect(await completions('comp')).toEqual(['completion']);
    expect((await completions('get', 'route')).toSorted()).toEqual(['route', 'routes']);
    expect(await completions('context', 'use', 'sta')).toEqual(['staging']);
    expect((await completions('context', 'use', '')).toSorted()).toHaveLength(2);
    if (shell !== 'bash')
      expect(await completions('sync', 'compl')).toEqual([shell === 'fish' ? 'completion' : 'files']);
  });
});
