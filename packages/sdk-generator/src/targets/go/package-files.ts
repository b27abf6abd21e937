import type { SdkModel } from '../../model/sdk-model.ts';
import { textOf, type Lines } from '../../source-text/lines.ts';
import { keywords, neededNames } from './names.ts';
import { comment, paragraph } from './text.ts';

/** Names that the example of the README needs for something else, among what stands in any file. */
const unusable = new Set([...keywords, ...neededNames, 'main', 'client', 'errors', 'fmt', 'panic']);

/** The name of the package, from the last part of the module's path that is no version. */
export function packageOf(modulePath: string): string {
  const parts = modulePath.split('/').filter((part) => !/^v\d+$/.test(part));
  const name = (parts.at(-1) ?? '').replace(/[^a-z0-9]/g, '').replace(/^\d+/, '');
  return name === '' || unusable.has(name) ? `${name}api` : name;
}

/** The number that versions of a module begin with: paths of the second one and later ones end in it. */
export function majorOf(modulePath: string): string {
  return /(?:\/v|^gopkg\.in\/.*\.v)(\d+)$/.exec(modulePath)?.[1] ?? '0';
}

/** A file of the package with the imports that its code uses. */
export function goFile(
  head: string,
  name: string,
  declarations: readonly Lines[],
  doc: readonly string[] = [],
): string {
  const body = textOf(declarations.map((lines, index) => [index > 0 && '', lines]));
  // Texts of a description are in literals and comments only: what is left is code.
  const code = body.replace(/"(?:[^"\\]|\\.)*"|\/\/.*/g, '');
  const found = new Set(Array.from(code.matchAll(/(?<![.\w])([a-z]+)\.[A-Z]/g), ([, name]) => name));
  const used = packages.filter((path) => found.has(path.replace(/.*\//, '')));
  return textOf(
    head,
    '',
    doc,
    `package ${name}`,
    used.length > 0 && ['', 'import (', used.map((path) => `\t"${path}"`), ')'],
    '',
    body.trimEnd(),
  );
}

const packages = ['context', 'io', 'net/http', 'strings', 'time'];

/** `doc.go` */
export function docFile(head: string, name: string, model: SdkModel): string {
  return textOf(
    head,
    '',
    comment(
      paragraph(`Package ${name} is a client of`, `${model.title}, version ${model.version}.`),
      model.description === undefined ? [] : paragraph('Details:', model.description),
      ['Make a Client with NewClient: it has a method for each operation.'],
    ),
    `package ${name}`,
  );
}
