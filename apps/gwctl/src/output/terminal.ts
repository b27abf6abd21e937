import { styleText } from 'node:util';

/** Prints the data of a command. Nothing else goes to standard output. */
export function printData(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Tells people something, on standard error. */
export function printMessage(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Tells people about a danger that does not stop the command. */
export function printWarning(text: string): void {
  printMessage(`${styleText('yellow', 'warning:', { stream: process.stderr })} ${text}`);
}

/** Colours text for standard output when that is a terminal and colours are wanted (`NO_COLOR`). */
export function coloured(colour: 'green' | 'red' | 'yellow' | 'bold', text: string): string {
  return styleText(colour, text, { stream: process.stdout });
}

/** A text that cannot move the cursor or change colours: what comes from a server or file is shown, not obeyed. */
export function harmless(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  return text.replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, '\uFFFD');
}
