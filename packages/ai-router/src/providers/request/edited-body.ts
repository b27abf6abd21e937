import type { JsonObject } from '../../json.ts';
import type { AdapterCall } from '../adapter.ts';
import { requestJson } from '../chat-form/json-text.ts';
import { topLevelMembers } from './top-level-members.ts';

/** Members of a request that must be other than the client wrote them. */
export type BodyEdits = readonly (readonly [name: string, value: unknown])[];

/**
 * The request's body with some members set. Without edits the client's bytes go on. With them, the bytes around the edited members go on all
 * the same: numbers keep their digits, members their order, and large bodies are not written anew.
 * @throws UnsupportedRequestError for what is nested too deeply to be written
 */
export function editedBody(
  { body, bytes }: Pick<AdapterCall, 'body' | 'bytes'>,
  edits: BodyEdits,
): string | Uint8Array {
  const changed = edits.filter(([name, value]) => !(Object.hasOwn(body, name) && body[name] === value));
  if (bytes !== undefined) {
    const spliced = splicedBytes(bytes, changed);
    if (spliced !== undefined) return spliced;
  }
  return requestJson(changed.length === 0 ? body : withMembers(body, changed));
}

/** A copy with some members set; those that were there stay in their places. */
export function withMembers(body: JsonObject, members: BodyEdits): JsonObject {
  // Made of entries, because an assignment to `__proto__` would be none.
  return { ...body, ...Object.fromEntries(members) };
}

function splicedBytes(bytes: Uint8Array, edits: BodyEdits): Uint8Array | undefined {
  const places = topLevelMembers(
    bytes,
    edits.map(([name]) => name),
  );
  if (places === undefined) return undefined;
  if (edits.length === 0) return bytes;
  const added = edits.filter(([name]) => !places.has(name));
  const cuts = edits.flatMap(([name, value]) => {
    const place = places.get(name);
    return place === undefined ? [] : [{ ...place, text: JSON.stringify(value) }];
  });
  if (added.length > 0) {
    const start = bytes.indexOf(123) + 1;
    const isEmpty = places.size === 0 && hasNoMembers(bytes, start);
    const text = added.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',');
    cuts.push({ start, end: start, text: isEmpty ? text : `${text},` });
  }
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of cuts.toSorted((a, b) => a.start - b.start)) {
    pieces.push(bytes.subarray(at, start), Buffer.from(text));
    at = end;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces);
}

function hasNoMembers(bytes: Uint8Array, start: number): boolean {
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 125) return true;
    if (byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13) return false;
  }
  return true;
}
