import type { OutputFormat } from '../options.ts';
import { printMessage } from './messages.ts';
import { printData } from './terminal.ts';

/** Prints a command's result: as one JSON or YAML document, or as the text that `asText` makes for people. */
export async function printDocument(format: OutputFormat, document: unknown, asText: () => string): Promise<void> {
  if (format === 'json') printData(JSON.stringify(document, null, 2));
  else if (format === 'yaml') printData((await import('yaml')).stringify(document));
  else printData(asText());
}

/** Prints what a command did: a program gets a document, people a sentence on standard error. */
export async function printOutcome(format: OutputFormat, document: unknown, sentence: string): Promise<void> {
  if (format === 'table') printMessage(sentence);
  else await printDocument(format, document, () => '');
}
