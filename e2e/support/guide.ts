/** Commands of a guide, and what the guide says that they print. */
export interface GuideStep {
  readonly script: string;
  /** Exactly; nothing where the guide shows no output. */
  readonly printed: string | undefined;
  /** Whether what is printed comes true only after a moment, so that the commands may be given again. */
  readonly isEventual: boolean;
}

/**
 * The shell blocks of a guide in order. A `text` block right after one is what it prints; `sh eventually` marks commands that
 * wait for something to be noticed elsewhere.
 */
export function guideSteps(markdown: string): readonly GuideStep[] {
  const blocks = markdown.matchAll(/^```sh( eventually)?\n([^]*?)^```\n(?:\n```text\n([^]*?)^```\n)?/gm);
  return [...blocks].map(([, eventual, script = '', printed]) => ({
    script,
    printed,
    isEventual: eventual !== undefined,
  }));
}

/**
 * One script that does all steps in one shell and prints a mark before each, so that its output can be told apart.
 * @throws RangeError for a guide without steps
 */
export function scriptOf(steps: readonly GuideStep[], mark: string): string {
  if (steps.length === 0) throw new RangeError('the guide has no commands');
  const parts = steps.map(({ script, printed, isEventual }, index) => {
    const commands = isEventual && printed !== undefined ? repeated(script, printed, index) : script;
    return `echo '${mark}'\n${commands}`;
  });
  return `set -eu\n${parts.join('')}`;
}

/** How often commands that wait are given, and the pause between, in seconds: longer than anything may take to be noticed. */
const tries = 60;
const pauseSeconds = 0.2;

function repeated(script: string, printed: string, index: number): string {
  return [
    `step_${index}() {\n${script}}`,
    `for try in $(seq ${tries}); do`,
    `  out_${index}=$(step_${index} || true)`,
    `  if [ "$out_${index}" = "$(printf '%s' ${quoted(printed.trimEnd())})" ]; then break; fi`,
    `  sleep ${pauseSeconds}`,
    `done`,
    `echo "$out_${index}"\n`,
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
