import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const jackson = ['databind', 'core', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`);
const newtonsoft = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';

/** A program of `testdata/sdk-calls` that uses the exported library of one target. */
export interface SdkProgram {
  readonly target: string;
  /** The file of the program, and where it goes in the folder of the library. */
  readonly file: string;
  readonly at: string;
  /** What has to be there to build and run it. */
  readonly needs: string;
  readonly isThere: () => boolean;
  /** Before the last, which gets the key as its last argument: what compiles. */
  readonly commands: readonly (readonly string[])[];
}

export const sdkPrograms: readonly SdkProgram[] = [
  {
    target: 'typescript-fetch',
    file: 'calls.js',
    at: 'calls.js',
    needs: 'node',
    isThere: () => true,
    commands: [[process.execPath, 'calls.js']],
  },
  {
    target: 'python',
    file: 'calls.py',
    at: 'calls.py',
    needs: 'python3',
    isThere: () => has('python3', '--version'),
    commands: [['python3', 'calls.py']],
  },
  {
    target: 'go',
    file: 'calls.go',
    at: 'calls/main.go',
    needs: 'go',
    isThere: () => has('go', 'version'),
    // No module is fetched, and no other version of Go.
    commands: [['env', 'GOPROXY=off', 'GOTOOLCHAIN=local', 'go', 'run', './calls']],
  },
  {
    target: 'java',
    file: 'Calls.java',
    at: 'src/main/java/Calls.java',
    needs: 'javac and jackson',
    isThere: () => has('javac', '--version') && jackson.every((file) => existsSync(file)),
    commands: [
      ['javac', '-d', 'classes', '-cp', jackson.join(':'), '-sourcepath', 'src/main/java', 'src/main/java/Calls.java'],
      ['java', '-cp', ['classes', ...jackson].join(':'), 'Calls'],
    ],
  },
  {
    target: 'csharp',
    file: 'Calls.cs',
    at: 'Calls.cs',
    needs: 'mcs, mono and Newtonsoft.Json',
    isThere: () => has('mcs', '--version') && has('mono', '--version') && existsSync(newtonsoft),
    commands: [
      [
        'mcs',
        '-langversion:7.2',
        '-out:calls.exe',
        `-r:${newtonsoft}`,
        '-r:System.Net.Http.dll',
        '-r:System.Numerics.dll',
        '-recurse:*.cs',
      ],
      ['env', `MONO_PATH=${dirname(newtonsoft)}`, 'mono', 'calls.exe'],
    ],
  },
  {
    target: 'php',
    file: 'calls.php',
    at: 'calls.php',
    needs: 'php with curl',
    isThere: () => has('php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'),
    commands: [['php', 'calls.php']],
  },
];

/** Puts a program into the folder of its library, compiles it where it has to be, and runs it. The lines that it prints. */
export async function linesOfSdkProgram(program: SdkProgram, library: string, key: string): Promise<readonly string[]> {
  const source = fileURLToPath(new URL(`../testdata/sdk-calls/${program.file}`, import.meta.url));
  mkdirSync(dirname(join(library, program.at)), { recursive: true });
  copyFileSync(source, join(library, program.at));
  let output = '';
  for (const [index, [command = '', ...args]] of program.commands.entries()) {
    const last = index === program.commands.length - 1 ? [key] : [];
    output = (await run(command, [...args, ...last], { cwd: library })).stdout;
  }
  return output.trim().split('\n');
}

function has(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
