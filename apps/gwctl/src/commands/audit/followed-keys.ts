import { NoteError, openNote, parseVerifierKey } from '@portcullis/audit-chain';
import * as v from 'valibot';
import { readInputText } from '../../input-file.ts';

/** First line of what an old key signs when a new one takes its place; the new key is the second. */
const changeTitle = 'portcullis/audit/key-change/v1';
const lineSchema = v.object({
  keys: v.array(v.object({ verifier_key: v.string(), signed_change: v.nullable(v.string()) })),
});

type KeyChange = v.InferOutput<typeof lineSchema>['keys'][number];

/**
 * The given keys, and those that took their place: each signed by one that is known, as files of `checkpoint save` say. A file
 * that cannot be read has none.
 */
export async function followedKeys(given: readonly string[], files: readonly string[]): Promise<readonly string[]> {
  const changes: KeyChange[] = [];
  if (given.length > 0) for (const file of files) changes.push(...(await changesIn(file)));
  const known = new Set(given);
  for (let before = -1; known.size > before;) {
    before = known.size;
    for (const change of changes)
      if (!known.has(change.verifier_key) && isSigned(change, known)) known.add(change.verifier_key);
  }
  return [...known];
}

async function changesIn(file: string): Promise<readonly KeyChange[]> {
  const text = await readInputText(file).then(
    (input) => input.text,
    () => '',
  );
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const parsed = v.safeParse(lineSchema, JSON.parse(line));
      return parsed.success ? parsed.output.keys : [];
    } catch {
      return [];
    }
  });
}

function isSigned({ verifier_key: key, signed_change: note }: KeyChange, known: ReadonlySet<string>): boolean {
  if (note === null) return false;
  try {
    parseVerifierKey(key);
    return openNote(note, [...known].map(parseVerifierKey)).text === `${changeTitle}\n${key}\n`;
  } catch (error) {
    if (error instanceof NoteError || error instanceof TypeError) return false;
    throw error;
  }
}
