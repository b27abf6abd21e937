import { eventually } from '@portcullis/testkit';

/** An event of a stream. */
export interface SeenEvent {
  readonly id: string;
  readonly event: string;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  readonly data: any;
}

/** A stream that is read as it comes. */
export interface OpenStream {
  readonly status: number;
  readonly events: SeenEvent[];
  /** The last ID, as a browser would send it. */
  lastId(): string;
  isOver(): boolean;
  /** Waits until there are so many events. */
  has(count: number): Promise<void>;
  leave(): void;
}

/** Opens a stream of events. */
export async function openStream(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const left = new AbortController();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers }, signal: left.signal });
  const events: SeenEvent[] = [];
  let [lastId, isOver, text] = ['', false, ''];
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const fields = new Map(text.slice(0, end).split('\n').map(fieldOf));
        text = text.slice(end + 2);
        lastId = fields.get('id') ?? lastId;
        const data = fields.get('data');
        if (data !== undefined) events.push({ id: lastId, event: fields.get('event') ?? '', data: JSON.parse(data) });
      }
    }
  };
  if (response.status === 200) {
    void read()
      .catch(() => undefined)
      .finally(() => (isOver = true));
    // The first sign of life says where the stream begins.
    await eventually(() => lastId !== '' || isOver);
  } else await response.body?.cancel();
  return {
    status: response.status,
    events,
    lastId: () => lastId,
    isOver: () => isOver,
    has: async (count) => {
      await eventually(() => events.length >= count);
    },
    leave: () => left.abort(),
  };
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}
