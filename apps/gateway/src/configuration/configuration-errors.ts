import type { configurationErrorCodes } from '@portcullis/resources';

/** A mistake in a configuration: where it is, and which rule it breaks. Never the value, which may be a secret. */
export interface ConfigurationError {
  /** JSON Pointer into the document. */
  readonly pointer: string;
  readonly message: string;
  /** What the control plane tells apart. */
  readonly code?: (typeof configurationErrorCodes)[number];
}

/** Mistakes that an acknowledgement carries at most; the wire's bound. */
const errorsMax = 100;
const textLengthMax = 1024;

/** Collects mistakes, so that all of them are reported at once. */
export class ErrorList {
  readonly errors: ConfigurationError[] = [];

  /** Takes over what another list collected. */
  addAll(list: ErrorList): void {
    this.addEach(list.errors);
  }

  /** Adds several. */
  addEach(errors: readonly ConfigurationError[]): void {
    for (const { pointer, message, code } of errors) this.add(pointer, message, code);
  }

  add(pointer: string, message: string, code?: ConfigurationError['code']): void {
    if (this.errors.length >= errorsMax) return;
    const short = { pointer: pointer.slice(0, textLengthMax), message: message.slice(0, textLengthMax) };
    this.errors.push(code === undefined ? short : { ...short, code });
  }
}

/** A JSON Pointer out of its parts. */
export function pointerOf(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
