/** One block of a PEM text. */
export interface PemBlock {
  /** What stands after BEGIN, for instance `CERTIFICATE`. */
  readonly label: string;
  /** Whether header lines say that the content is encrypted (the form of keys before PKCS #8). */
  readonly isEncrypted: boolean;
  readonly der: Buffer;
}

/** The blocks of a text, or the rule that it breaks. The message never repeats any of the text. */
export type PemReading =
  | { readonly ok: true; readonly blocks: readonly PemBlock[] }
  | { readonly ok: false; readonly message: string };

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const boundary = /^-----(BEGIN|END) ([A-Z0-9][A-Z0-9 ]{0,63})-----$/;

/**
 * Takes a PEM text apart. Text before a block is an explanation and passed over; a block that is not whole, or anything
 * after the last one, is refused: it would be lost without anybody noticing. Source: RFC 7468, 2 and 5.2.
 */
export function readPem(text: string): PemReading {
  const blocks: PemBlock[] = [];
  let open: { readonly label: string; readonly lines: string[] } | undefined;
  let hasTextAfter = false;
  for (const line of text.split(/\r\n|\r|\n/).map((one) => one.trim())) {
    const [, kind, label = ''] = boundary.exec(line) ?? [];
    if (kind === 'BEGIN' && !open) {
      open = { label, lines: [] };
      hasTextAfter = false;
    } else if (kind === 'END' && open?.label === label) {
      const block = blockOf(label, open.lines);
      if (!block) return refusal(`has a ${label} block whose content is not base64`);
      blocks.push(block);
      open = undefined;
    } else if (kind !== undefined || line.includes('-----')) return refusal('has a PEM block that is not whole');
    else if (open) open.lines.push(line);
    else hasTextAfter ||= line !== '';
  }
  if (open) return refusal('has a PEM block that is not whole');
  if (blocks.length === 0) return refusal('holds no PEM block');
  return hasTextAfter ? refusal('has text after its last PEM block') : { ok: true, blocks };
}

function refusal(message: string): PemReading {
  return { ok: false, message };
}

function blockOf(label: string, lines: readonly string[]): PemBlock | undefined {
  const blank = lines.indexOf('');
  const hasHeaders = lines[0]?.includes(':') === true && blank > 0;
  const headers = hasHeaders ? lines.slice(0, blank) : [];
  const content = (hasHeaders ? lines.slice(blank) : lines).join('').replaceAll(/\s/g, '');
  if (!base64.test(content) || content.length % 4 !== 0) return undefined;
  const isEncrypted = label.startsWith('ENCRYPTED') || headers.some((line) => /^Proc-Type:.*ENCRYPTED/.test(line));
  return { label, isEncrypted, der: Buffer.from(content, 'base64') };
}
