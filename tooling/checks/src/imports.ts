/** One import of a module by another. */
export interface ImportSite {
  readonly specifier: string;
  /** 1-based. */
  readonly line: number;
  /** True for `import type` and `export type`: nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

/**
 * The static form: `import … from '…'`, `export … from '…'`, `import '…'`. It stands at the start of a line, because the
 * formatter puts it there; what merely looks like one inside a comment or an indented string does not.
 */
const STATIC = /^(?:import|export)\b(?<type>\s+type\b)?(?:[^'";]*?\bfrom)?\s*['"](?<specifier>[^'"\n]+)['"]/gm;

/** `import('…')` and `import.meta.resolve('…')`, outside of lines that are comments. */
const DYNAMIC = /^(?!\s*(?:\*|\/\/|\/\*)).*?\bimport(?:\.meta\.resolve)?\(\s*['"](?<specifier>[^'"\n]+)['"]/gm;

/** Every import of a formatted TypeScript or JavaScript source, in the order of their lines. */
export function importsOf(source: string): readonly ImportSite[] {
  const sites = [...source.matchAll(STATIC), ...source.matchAll(DYNAMIC)].map((match) => ({
    specifier: match.groups?.['specifier'] ?? '',
    line: source.slice(0, match.index).split('\n').length,
    typeOnly: match.groups?.['type'] !== undefined,
  }));
  return sites.toSorted((a, b) => a.line - b.line);
}

/** The package a bare specifier names (`@a/b/c` gives `@a/b`); undefined for relative and built-in ones. */
export function packageOf(specifier: string): string | undefined {
  if (/^[./#]|^node:/.test(specifier)) return undefined;
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
}
