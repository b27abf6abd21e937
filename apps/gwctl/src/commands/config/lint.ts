import { harmlessText, validateBundle } from '@portcullis/bundle-diff';
import { localDescriptor } from '../../bundle/local-descriptor.ts';
import { readBundle } from '../../bundle/read-bundle.ts';
import type { BundleInput } from '../../bundle/read-bundle.ts';
import { CommandFailure, exitCodes } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { printDocument } from '../../output/document.ts';
import { table } from '../../output/table.ts';
import { coloured, printData } from '../../output/terminal.ts';
import { allRules } from './lint/all-rules.ts';
import { githubAnnotations } from './lint/github-annotations.ts';
import { lintBundle } from './lint/lint-bundle.ts';
import type { Finding } from './lint/lint-bundle.ts';
import { readRuleSwitches } from './lint/rule-switches.ts';
import { severities } from './lint/rule.ts';
import type { Severity } from './lint/rule.ts';

/** Options of `gwctl config lint`. */
export interface LintOptions extends GlobalOptions {
  readonly rules?: string;
  readonly failSeverity: Severity | 'never';
  readonly github: boolean;
  readonly listRules: boolean;
}

/** Findings that people are shown at most; `-o json` has all of them. */
const findingsShownMax = 200;

/** Says what is legal but unwise in a bundle. Only a valid one is looked at; asks no server. */
export async function lint(options: LintOptions, files: readonly string[]): Promise<number> {
  const switches = options.rules === undefined ? {} : await readRuleSwitches(options.rules, allRules);
  if (options.listRules) {
    const rules = allRules.map(({ id, severity, description }) => ({
      id,
      severity: switches[id] ?? severity,
      description,
    }));
    const rows = rules.map((rule) => [rule.id, rule.severity, rule.description]);
    await printDocument(options.outputFormat, { rules }, () => table(['rule', 'severity', 'what it finds'], rows));
    return exitCodes.done;
  }
  if (files.length === 0) throw new CommandFailure('give the files or folders to look at (- is standard input)');
  const bundle = await readBundle(files);
  refuseInvalid(bundle);
  const findings = lintBundle(Object(bundle.document), allRules, switches);
  await print(findings, bundle, options);
  const least = options.failSeverity === 'never' ? severities.length : severities.indexOf(options.failSeverity);
  return findings.some(({ severity }) => severities.indexOf(severity) >= least) ? exitCodes.failed : exitCodes.done;
}

function refuseInvalid(bundle: BundleInput): void {
  const { errors } = validateBundle(bundle.document, localDescriptor(), { strict: false });
  const [first] = errors;
  if (first === undefined) return;
  const line = `${bundle.placeOf(first.pointer)}: ${first.pointer}: ${first.message} [${first.code}]`;
  throw new CommandFailure(`${bundle.label} is not valid: gwctl validate lists what is wrong`, [line]);
}

async function print(findings: readonly Finding[], { placeOf }: BundleInput, options: LintOptions): Promise<void> {
  const counts = Object.fromEntries(
    severities.map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length]),
  );
  if (options.github) {
    if (findings.length > 0) printData(harmlessLines(githubAnnotations(findings, placeOf)));
    return;
  }
  const placed = findings.map((finding) => ({ ...finding, place: placeOf(finding.pointer) }));
  await printDocument(options.outputFormat, { findings: placed, counts }, () => {
    const lines = placed.slice(0, findingsShownMax).map(({ place, severity, pointer, name, message, rule }) => {
      const who = name === null ? '' : ` (${name})`;
      return `${harmlessText(place)}: ${wordFor(severity)} ${harmlessText(`${pointer}${who}: ${message}`)} [${rule}]`;
    });
    const sums = severities.toReversed().map((severity) => `${counts[severity]} ${severity}`);
    const more = placed.length > lines.length ? [`… and ${placed.length - lines.length} more (-o json has all)`] : [];
    return [...lines, ...more, sums.join(', ')].join('\n');
  });
}

function wordFor(severity: Severity): string {
  return severity === 'info' ? 'info' : coloured(severity === 'error' ? 'red' : 'yellow', severity);
}

function harmlessLines(text: string): string {
  return text.split('\n').map(harmlessText).join('\n');
}
