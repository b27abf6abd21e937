import { logFileFailure, type LogFile, type LogFileFailure, type LogFiles } from '@portcullis/plugin-runtime';
import { SendError, type RecordSender } from '../shared/sinks/record-sender.ts';

/** Bytes that may be on their way to the disk. A disk that hangs takes no more, however often records are tried again. */
export const WRITING_BYTES_MAX: number = 4 * 1024 * 1024;

/** What an operator is told. No path: it may be a tenant's secret what it calls its files. */
const messages: Readonly<Record<LogFileFailure, string>> = {
  refused: 'the file may not be written: the gateway has no log folder, or the path leads over a link or to no file',
  full: "the file has no room: the bound of the tenant's files is reached, or the disk is full",
  failed: 'the system did not let the file be written',
};

/** Appends records as lines, each batch in one piece. The file is opened with the first batch, and again after a failure. */
export function fileSender(files: LogFiles, path: string): RecordSender<string> {
  let opening: Promise<LogFile> | undefined;
  let writingBytes = 0;

  const opened = (): Promise<LogFile> => {
    if (opening !== undefined) return opening;
    const started = files.open(path);
    opening = started;
    started.catch(() => {
      if (opening === started) opening = undefined;
    });
    return started;
  };
  return {
    send: async (lines) => {
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      if (writingBytes > 0 && writingBytes + bytes.length > WRITING_BYTES_MAX) {
        throw new SendError('the disk is too slow', true);
      }
      writingBytes += bytes.length;
      try {
        await (await opened()).append(bytes);
      } catch (error) {
        const failure = logFileFailure(error) ?? 'failed';
        throw new SendError(messages[failure], failure !== 'refused', { cause: error });
      } finally {
        writingBytes -= bytes.length;
      }
    },
    close: async () => {
      const file = await opening?.catch(() => undefined);
      await file?.close();
    },
  };
}
