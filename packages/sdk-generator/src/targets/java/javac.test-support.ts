import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasProgram, outputOf } from '../testing/target-files.test-support.ts';

/** Where Debian's `libjackson2-databind-java` and those that it needs put their classes. */
const jackson = ['databind', 'core', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`);

export const hasJava: boolean = hasProgram('javac', '--version') && jackson.every((file) => existsSync(file));

/** Programs of seconds are over before the better compiler of the JVM pays. */
export const quickly: readonly string[] = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Of programs: classes that `compile` made, and Jackson. */
export const classPath: string = ['classes', ...jackson].join(':');

/** Compiles all sources below `src` with all warnings as errors. What the compiler says; empty where it is content. */
export async function compile(folder: string): Promise<string> {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' });
  writeFileSync(
    join(folder, 'sources.txt'),
    sources
      .filter((name) => name.endsWith('.java'))
      .map((name) => `src/${name}\n`)
      .join(''),
  );
  const flags = [
    '-proc:none',
    '-encoding',
    'UTF-8',
    '--release',
    '17',
    '-Xlint:all',
    '-Werror',
    '-Xmaxwarns',
    '20',
    '-d',
    'classes',
  ];
  return outputOf(folder, 'javac', [
    ...quickly.map((flag) => `-J${flag}`),
    ...flags,
    '-cp',
    jackson.join(':'),
    '@sources.txt',
  ]);
}
