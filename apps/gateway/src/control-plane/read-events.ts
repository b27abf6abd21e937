/** An event's text is cut off here: revisions are short, and the sender may be anything. */
const lineLengthMax = 64 * 1024;

/**
 * Reads a stream of server-sent events until it ends.
 * @throws the stream's error; a line that is too long
 */
export async function readEvents(
  body: AsyncIterable<Buffer>,
  onEvent: (event: string, data: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let event = 'message';
  let data: string[] = [];
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    if (rest.length > lineLengthMax || data.length > lineLengthMax) throw new Error('an event is too long');
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) onEvent(event, data.join('\n'));
        [event, data] = ['message', []];
      } else if (line.startsWith('event:')) event = line.slice(6).trim();
      else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    }
  }
}
