/** Collects what a module uses, so that it imports that and nothing else. */
export class Imports {
  readonly #modules = new Set<string>();
  readonly #names = new Map<string, Set<string>>();

  /** `import datetime` */
  module(name: string): string {
    this.#modules.add(name);
    return name;
  }

  /** `from typing import Any`, or `Any as _Any` where an alias is given. */
  from(module: string, name: string, alias?: string): string {
    const names = this.#names.get(module) ?? new Set();
    this.#names.set(module, names.add(alias === undefined ? name : `${name} as ${alias}`));
    return alias ?? name;
  }

  /** As PEP 8 orders them: the standard library, then ours. */
  lines(): readonly string[] {
    const modules = [...this.#modules].sort().map((name) => `import ${name}`);
    const froms = [...this.#names.entries()].sort(([left], [right]) => (left < right ? -1 : 1));
    const standard = froms.filter(([module]) => !module.startsWith('.'));
    const ours = froms.filter(([module]) => module.startsWith('.'));
    return [
      'from __future__ import annotations',
      '',
      ...modules,
      ...standard.flatMap(fromLine),
      ...(modules.length + standard.length > 0 && ours.length > 0 ? [''] : []),
      ...ours.flatMap(fromLine),
    ];
  }
}

function fromLine([module, names]: readonly [string, ReadonlySet<string>]): readonly string[] {
  const sorted = [...names].sort();
  const line = `from ${module} import ${sorted.join(', ')}`;
  return line.length <= 120 ? [line] : [`from ${module} import (`, ...sorted.map((name) => `    ${name},`), ')'];
}
