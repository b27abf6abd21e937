import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { SdkTargetName } from '@portcullis/sdk-generator';

/** How a language looks at a library, and what has to be installed for it. */
export interface Compiler {
  /** Each gives 0 where the tool is there. */
  readonly needs: readonly (readonly [command: string, ...args: string[]])[];
  /** Run one after the other in the library's folder. All must end with 0 and print nothing. */
  readonly runs: readonly (readonly [command: string, ...args: string[]])[];
}

const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const jackson = ['databind', 'core', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`);
const newtonsoft = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';

/** Characters of what a compiler says that are shown. */
const complaintLengthMax = 2000;

/** Parses each file below the folder, without starting a process for each. */
const parsePhp = `foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('.', FilesystemIterator::SKIP_DOTS)) as $file)
  if (str_ends_with($file, '.php')) token_get_all(file_get_contents($file), TOKEN_PARSE);`;

/** By language: what Debian installs. */
export const compilers: Readonly<Record<SdkTargetName, Compiler>> = {
  'typescript-fetch': { needs: [], runs: [[process.execPath, tsc, '-p', '.', '--noEmit']] },
  python: {
    needs: [
      ['python3', '--version'],
      ['mypy', '--version'],
    ],
    runs: [
      ['python3', '-W', 'error', '-m', 'compileall', '-q', '.'],
      ['sh', '-c', 'mypy --strict --no-error-summary --cache-dir /dev/null */'],
    ],
  },
  go: {
    needs: [['go', 'version']],
    runs: [
      ['gofmt', '-l', '.'],
      ['go', 'vet', './...'],
    ],
  },
  java: {
    needs: [
      ['javac', '--version'],
      ['test', '-e', String(jackson[0])],
    ],
    runs: [
      [
        'sh',
        '-c',
        `find src -name '*.java' > sources.txt && javac --release 17 -encoding UTF-8 -Xlint:all -Werror -d classes -cp ${jackson.join(':')} @sources.txt`,
      ],
    ],
  },
  csharp: {
    needs: [
      ['mcs', '--version'],
      ['test', '-e', newtonsoft],
    ],
    runs: [
      [
        'sh',
        '-c',
        `find . -name '*.cs' > sources.txt && mcs -langversion:7.2 -warnaserror -target:library -out:library.dll -r:${newtonsoft} -r:System.Net.Http -r:System.Numerics @sources.txt`,
      ],
    ],
  },
  // Its tokens come from an extension, which the configuration of Debian loads.
  php: {
    needs: [['php', '-r', 'exit(extension_loaded("tokenizer") ? 0 : 1);']],
    runs: [['php', '-d', 'display_errors=1', '-r', parsePhp]],
  },
};

export function isThere({ needs }: Compiler): boolean {
  return needs.every(([command, ...args]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0);
}

/** What a language has against the library in a folder; nothing where it is content. */
export async function complaintOf({ runs }: Compiler, folder: string): Promise<string | undefined> {
  for (const [command, ...args] of runs) {
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', PYTHONDONTWRITEBYTECODE: '1' };
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    // oxlint-disable-next-line no-await-in-loop -- what does not parse need not be type-checked
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | string | null>((resolve) => {
        child.on('error', (error) => resolve(error.message));
        child.on('close', resolve);
      }),
    ]);
    if (code !== 0 || out.trim() !== '')
      return `${command} ended with ${code}\n${`${out}${err}`.slice(0, complaintLengthMax)}`;
  }
  return undefined;
}
