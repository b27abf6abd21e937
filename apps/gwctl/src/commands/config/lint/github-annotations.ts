import type { Finding } from './lint-bundle.ts';

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const;

/**
 * Findings as GitHub shows them beside the lines of a change. Source: GitHub Actions, Workflow commands.
 * @param placeOf `file:line:column` of a pointer, or a file alone
 */
export function githubAnnotations(findings: readonly Finding[], placeOf: (pointer: string) => string): string {
  return findings
    .map(({ rule, severity, pointer, message }) => {
      const [, file = '', line, column] = /^(.*?)(?::(\d+):(\d+))?$/s.exec(placeOf(pointer)) ?? [];
      const place = line === undefined ? '' : `,line=${line},col=${column ?? 1}`;
      return `::${commands[severity]} file=${property(file)}${place},title=${property(rule)}::${data(`${pointer}: ${message}`)}`;
    })
    .join('\n');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
