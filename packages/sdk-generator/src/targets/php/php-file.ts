import { linesOf, textOf, type Lines } from '../../source-text/lines.ts';
import type { SdkFile } from '../../target.ts';

/** Where a library is, and what its files begin with. */
export interface PhpLibrary {
  readonly namespace: string;
  /** One line that ends in no `?>`. */
  readonly head: string;
}

/** A file of one class, as PSR-4 finds it. `names` are what it uses of the library, below its namespace. */
export function phpFile(
  { namespace, head }: PhpLibrary,
  folder: '' | 'Exception' | 'Http' | 'Model' | 'Runtime',
  name: string,
  body: Lines,
  names: readonly string[] = [],
): SdkFile {
  const code = linesOf(body).join('\n');
  const used = names.filter((used) => new RegExp(`\\b${used.replace(/.*\\/, '')}\\b`).test(code)).sort();
  return {
    path: `src/${folder === '' ? '' : `${folder}/`}${name}.php`,
    text: textOf(
      '<?php',
      '',
      head,
      '',
      'declare(strict_types=1);',
      '',
      `namespace ${namespace}${folder === '' ? '' : `\\${folder}`};`,
      '',
      used.length > 0 && [used.map((used) => `use ${namespace}\\${used};`), ''],
      code.trimEnd(),
    ),
  };
}
