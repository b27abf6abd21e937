import type { PositionFinder } from '@portcullis/bundle-diff';
import { CommandFailure } from '../failure.ts';
import { readInputFile } from '../input-file.ts';
import type { InputFile } from '../input-file.ts';
import { findBundleFiles } from './find-bundle-files.ts';
import { mergeBundles } from './merge-bundles.ts';

/** A bundle that the user named, in one file or in many. */
export interface BundleInput {
  /** What messages call it. */
  readonly label: string;
  readonly document: unknown;
  /** What is sent: the text of the one file as it is, else the whole as JSON. */
  readonly text: string;
  readonly contentType: InputFile['contentType'];
  /** `file:line:column` of a value, or of what is nearest around it. */
  readonly placeOf: (pointer: string) => string;
}

/** Largest bundle, in bytes: what the API takes. Source: decisions, 15. */
const bundleBytesMax = 64 * 1024 * 1024;

/**
 * Reads files, folders and standard input (`-`) as one bundle.
 * @throws CommandFailure for what is missing, malformed, too large or contradicts itself, with the place of the mistake
 */
export async function readBundle(given: readonly string[]): Promise<BundleInput> {
  const files = findBundleFiles(given);
  const inputs: InputFile[] = [];
  let characters = 0;
  for (const file of files) {
    const input = await readInputFile(file);
    characters += input.text.length;
    if (characters > bundleBytesMax) throw tooLarge(files.length);
    inputs.push(input);
  }
  const [only] = inputs;
  return inputs.length === 1 && only ? { ...only, label: only.file, placeOf: placesOf(only) } : joined(inputs);
}

/** IDs that a bundle gives to its records itself. */
export function givenIds({ document }: BundleInput): ReadonlySet<string> {
  const lists = typeof document === 'object' && document !== null ? Object.values(document) : [];
  const ids = lists.flatMap((list: unknown) => (Array.isArray(list) ? list.map(idOf) : []));
  return new Set(ids.filter((id) => id !== undefined));
}

/** @throws CommandFailure when a bundle is for another tenant than the command */
export function checkTenant({ document, placeOf }: BundleInput, tenantId: string | undefined): void {
  const said = (document as { readonly tenant_id?: unknown } | null)?.tenant_id;
  if (tenantId === undefined || typeof said !== 'string' || said === tenantId) return;
  const text = `${placeOf('/tenant_id')}: tenant_id is ${said}, but the command is for ${tenantId}`;
  throw new CommandFailure(`${text} (--tenant-id, or the context)`);
}

function joined(inputs: readonly InputFile[]): BundleInput {
  const parts = inputs.map((input) => ({ file: input.file, document: input.document, placeOf: placesOf(input) }));
  const { document, sourceOf } = mergeBundles(parts);
  const text = JSON.stringify(document);
  if (Buffer.byteLength(text) > bundleBytesMax) throw tooLarge(inputs.length);
  const label = `${inputs.length} files`;
  const placeOf = (pointer: string): string => {
    const source = sourceOf(pointer);
    return source ? source.part.placeOf(source.pointer) : label;
  };
  return { label, document, text, contentType: 'application/json', placeOf };
}

function placesOf({ file, positions }: InputFile): (pointer: string) => string {
  return (pointer) => `${file}${positionText(pointer, positions)}`;
}

/** The value's own place, or that of what is nearest around it when the field is missing. */
function positionText(pointer: string, positions: PositionFinder): string {
  for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
    const found = positions(place);
    if (found) return `:${found.line}:${found.column}`;
    if (place === '') return '';
  }
}

function idOf(record: unknown): string | undefined {
  const id = (record as { readonly id?: unknown } | null)?.id;
  return typeof id === 'string' ? id : undefined;
}

function tooLarge(files: number): CommandFailure {
  return new CommandFailure(`${files} files are larger than ${bundleBytesMax} bytes together`);
}
