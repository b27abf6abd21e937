import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasProgram, outputOf } from '../testing/target-files.test-support.ts';

/** Where Debian's `libnewtonsoft-json5.0-cil` puts its assembly. */
const newtonsoft = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';
/** Assemblies that Debian's `mono-mcs` does not bring: `libmono-system-net-http4.0-cil`, `libmono-system-numerics4.0-cil`. */
const others = ['System.Net.Http', 'System.Numerics'];

export const hasMono: boolean =
  hasProgram('mcs', '--version') &&
  hasProgram('mono', '--version') &&
  [newtonsoft, ...others.map((name) => `/usr/lib/mono/4.5/${name}.dll`)].every((file) => existsSync(file));

/** Compiles all sources of a folder into `drive.exe`, with all warnings as errors. What the compiler says; empty where it is content. */
export async function compile(folder: string): Promise<string> {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.cs'));
  writeFileSync(join(folder, 'sources.txt'), sources.map((name) => `${name}\n`).join(''));
  copyFileSync(newtonsoft, join(folder, 'Newtonsoft.Json.dll'));
  const references = ['Newtonsoft.Json.dll', ...others.map((name) => `${name}.dll`)].map((name) => `-r:${name}`);
  return outputOf(folder, 'mcs', [
    '-langversion:7.2',
    '-warn:4',
    '-warnaserror+',
    '-out:drive.exe',
    ...references,
    '@sources.txt',
  ]);
}
