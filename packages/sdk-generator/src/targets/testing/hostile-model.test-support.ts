import fc from 'fast-check';
import type { SdkModel } from '../../model/sdk-model.ts';

/** What ends comments and literals somewhere, or begins code, directives, escapes, markup and lines of a file's head. */
const enders = [
  '*/',
  '/*',
  '//go:generate x',
  '\n//go:build ignore',
  '\n#cgo LDFLAGS: x',
  '"""',
  "'''",
  '"',
  "'",
  '`',
  '\\',
  '\\"',
  '\\u002a\\u002f',
  '\\u0022',
  '\\x22',
  '\\N{DIGIT ONE}',
  '?>',
  '<?php',
  '<?=1?>',
  '$x',
  '${x}',
  '{$x}',
  '#{x}',
  '%s',
  '{x}',
  '-->',
  ']]>',
  '<script>',
  '&amp;',
  '</summary>',
  '[a](javascript:b)',
  '| a |',
  '\n# coding: utf-7',
  '\r',
  '\n',
  '\r\n',
  '\t',
  '\f',
  '\v',
  '\0',
  '\x1a',
  '\x7f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\ud800',
  '😀',
  '\nimport os\n',
  '@param',
  '@deprecated',
  '\n@internal',
];

/** Any text made of them, the plain ones between. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...enders) },
      { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(''));

/** Fields of a model that come from a description as they are, whatever they are. */
const free = new Set([
  'title',
  'version',
  'description',
  'summary',
  'wireName',
  'pathTemplate',
  'discriminator',
  'url',
  'status',
]);

/**
 * The same model with the hostile texts in turn in each place that a description fills freely. What is called by a name elsewhere
 * (path parameters, schemes) is called alike in both places; names of headers and media types are checked before a target sees them.
 */
export function withTexts(model: SdkModel, texts: readonly string[]): SdkModel {
  const known = new Map<string, string>();
  let count = 0;
  const next = (): string => texts[count++ % texts.length] ?? '';
  const alike = (text: string): string => {
    const replaced = known.get(text) ?? `${next()}${known.size}`;
    known.set(text, replaced);
    return replaced;
  };
  const changed = (value: unknown, key: string, parent: Readonly<Record<string, unknown>>): unknown => {
    if (typeof value === 'string') {
      if (parent['place'] === 'header' && (key === 'wireName' || key === 'name')) return value;
      if (key === 'wireName' || key === 'key') return alike(value);
      return free.has(key) || (key === 'value' && 'words' in parent) || (key === 'name' && 'url' in parent)
        ? next()
        : value;
    }
    if (Array.isArray(value)) {
      if (key === 'security') return value.map((keys: readonly string[]) => keys.map(alike));
      if (key === 'tags') return value.map(next);
      return value.map((item) => changed(item, '', parent));
    }
    if (typeof value !== 'object' || value === null) return value;
    const record = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(Object.entries(record).map(([name, inner]) => [name, changed(inner, name, record)]));
  };
  return changed(model, '', {}) as SdkModel;
}

/** Models to check at once, since starting a language's tool for each would take minutes. */
export function hostileModels(model: SdkModel, count: number): readonly SdkModel[] {
  return fc
    .sample(fc.array(hostileText, { minLength: 20, maxLength: 60 }), { numRuns: count, seed: 42 })
    .map((texts) => withTexts(model, texts));
}
