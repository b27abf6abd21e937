import type { DescriptionProblem } from '@portcullis/openapi';
import { sdkLimits } from './limits.ts';

/** Why no client can be made. `message` says the rule; `pointer` is a JSON Pointer into the description. */
export interface SdkProblem {
  readonly pointer: string;
  /** Those of `@portcullis/openapi`; `sdk_unsupported` for what no client can do rightly; `sdk_too_large`; what a caller chose wrong. */
  readonly code:
    | DescriptionProblem['code']
    | 'sdk_unsupported'
    | 'sdk_too_large'
    | 'sdk_target'
    | 'sdk_package_name'
    | 'sdk_base_url';
  readonly message: string;
}

/** Something that the client does not have as the description says it, and works without. */
export interface SdkWarning {
  readonly pointer: string;
  readonly message: string;
}

/** Collects what is found on the way, once for its place, and up to a bound. */
export class Findings {
  readonly #problems = new Map<string, SdkProblem>();
  readonly #warnings = new Map<string, SdkWarning>();
  #areWarningsCut = false;

  refuse(pointer: string, message: string, code: SdkProblem['code'] = 'sdk_unsupported'): void {
    if (this.#problems.size < sdkLimits.problemsMax)
      this.#problems.set(`${pointer} ${message}`, { pointer, code, message });
  }

  warn(pointer: string, message: string): void {
    if (this.#warnings.size < sdkLimits.warningsMax) this.#warnings.set(`${pointer} ${message}`, { pointer, message });
    else this.#areWarningsCut ||= !this.#warnings.has(`${pointer} ${message}`);
  }

  get problems(): readonly SdkProblem[] {
    return [...this.#problems.values()];
  }

  get warnings(): readonly SdkWarning[] {
    const listed = [...this.#warnings.values()];
    const more = { pointer: '', message: `more than ${sdkLimits.warningsMax} warnings: the rest is not listed` };
    return this.#areWarningsCut ? [...listed, more] : listed;
  }
}
