import type { BuiltIn } from '../shared/built-in.ts';

/** The mistakes of a config, each as `POINTER: MESSAGE`; none for one that is accepted. */
export function mistakesOf({ plugin }: BuiltIn, config: unknown): readonly string[] {
  const compiled = plugin.compile(config);
  return compiled.ok ? [] : compiled.issues.map(({ pointer, message }) => `${pointer}: ${message}`);
}
