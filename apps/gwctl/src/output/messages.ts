import { styleText } from 'node:util';
import { harmlessText } from '@portcullis/bundle-diff';

/** Tells people something, on one line of standard error. What comes from a server or a file is shown, not obeyed. */
export function printMessage(text: string): void {
  process.stderr.write(`${harmlessText(text)}\n`);
}

/** Tells people about a danger that does not stop the command; see {@link printMessage}. */
export function printWarning(text: string): void {
  process.stderr.write(`${styleText('yellow', 'warning:', { stream: process.stderr })} ${harmlessText(text)}\n`);
}
