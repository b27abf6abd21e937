import type { ConfigurationIssue } from './configuration-issue.ts';

/**
 * Codes of the errors that this package throws. `runtime_disposed`: a chain was asked of a runtime that is gone.
 * `lease_over`: a runtime was released more often than it was acquired, or acquired after the end.
 */
export type PluginRuntimeErrorCode = 'invalid_plugin_configuration' | 'runtime_disposed' | 'lease_over';

/** Base of all errors that this package throws on purpose. */
export class PluginRuntimeError extends Error {
  override readonly name: string = 'PluginRuntimeError';
  /** Stable, for programs. */
  readonly code: PluginRuntimeErrorCode;

  constructor(code: PluginRuntimeErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Instances or inline entries cannot be loaded. Lists every mistake; no value of a config is in it. */
export class PluginConfigurationError extends PluginRuntimeError {
  override readonly name: string = 'PluginConfigurationError';
  readonly issues: readonly ConfigurationIssue[];

  constructor(issues: readonly ConfigurationIssue[]) {
    super('invalid_plugin_configuration', issues.map(describeIssue).join('; '));
    this.issues = issues;
  }
}

function describeIssue(issue: ConfigurationIssue): string {
  return `plugin ${issue.name} (${issue.id}) ${issue.pointer}: ${issue.message}`;
}
