import { styleText } from 'node:util';

/** Prints the data of a command. Nothing else goes to standard output. */
export function printData(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Colours text for standard output when that is a terminal and colours are wanted (`NO_COLOR`). */
export function coloured(colour: 'green' | 'red' | 'yellow' | 'bold', text: string): string {
  return styleText(colour, text, { stream: process.stdout });
}
