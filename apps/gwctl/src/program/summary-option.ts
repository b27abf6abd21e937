import { Option } from 'commander';

/** The option that asks for a Markdown summary. */
export function summaryOption(): Option {
  return new Option('--summary <file>', 'also write a Markdown summary; "github" is the summary of the workflow step');
}
