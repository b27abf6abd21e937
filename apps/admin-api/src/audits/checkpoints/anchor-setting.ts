/** Where signed checkpoints go besides the database. */
export interface AnchorSettings {
  /** Files that are appended to. */
  readonly files: readonly string[];
  /** Addresses that get each checkpoint as a POST. */
  readonly urls: readonly string[];
  readonly isLogged: boolean;
  /** Whether answers to writes carry `X-Audit-Checkpoint`. */
  readonly isHeader: boolean;
}

/** The anchors of `PORTCULLIS_AUDIT_ANCHOR`, or what is wrong with it. */
export type AnchorSettingsResult =
  | { readonly ok: true; readonly anchors: AnchorSettings }
  | { readonly ok: false; readonly message: string };

/** Most anchors of one service. */
const anchorsMax = 8;

/** Reads a comma-separated list of `file:/path`, `log`, `header` and `https://…` or `http://…`; `none` alone for nothing. */
export function parseAnchors(text: string): AnchorSettingsResult {
  const entries = text.split(',').flatMap((entry) => entry.trim() || []);
  const isNone = entries.includes('none');
  if (isNone && entries.length > 1) return { ok: false, message: 'must not name anchors beside none.' };
  if (entries.length > anchorsMax) return { ok: false, message: `must name at most ${anchorsMax} anchors.` };
  const files = entries.flatMap((entry) => (/^file:\/[^\0]+$/.test(entry) ? [entry.slice('file:'.length)] : []));
  const urls = entries.filter(isSink);
  const words = entries.filter((entry) => ['log', 'header', 'none'].includes(entry));
  const unknown = entries.length - files.length - urls.length - words.length;
  if (unknown > 0) {
    const forms = 'file:/ABSOLUTE/PATH, log, header, https://HOST/PATH (without user and password) or none';
    return { ok: false, message: `must list ${forms}; ${unknown} of them are none of these.` };
  }
  return {
    ok: true,
    anchors: { files, urls, isLogged: entries.includes('log'), isHeader: entries.includes('header') },
  };
}

/** Without user and password: what is sent there needs none, and an address is named where secrets must not be. */
function isSink(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
