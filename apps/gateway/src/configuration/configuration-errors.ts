/** A mistake in a configuration: where it is, and which rule it breaks. Never the value, which may be a secret. */
export interface ConfigurationError {
  /** JSON Pointer into the document. */
  readonly pointer: string;
  readonly message: string;
}

/** Mistakes that an acknowledgement carries at most; the wire's bound. */
const errorsMax = 100;
const textLengthMax = 1024;

/** Collects mistakes, so that all of them are reported at once. */
export class ErrorList {
  readonly errors: ConfigurationError[] = [];

  /** Takes over what another list collected. */
  addAll(list: ErrorList): void {
    for (const { pointer, message } of list.errors) this.add(pointer, message);
  }

  add(pointer: string, message: string): void {
    if (this.errors.length >= errorsMax) return;
    this.errors.push({ pointer: pointer.slice(0, textLengthMax), message: message.slice(0, textLengthMax) });
  }
}

/** A JSON Pointer out of its parts. */
export function pointerOf(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
