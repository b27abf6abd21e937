import type { Logger } from 'pino';
import { system } from '../adapters/system.ts';
import type { Settings } from '../settings.ts';
import { codeOf, Folder } from './adapters/folder.ts';
import { LogFolder } from './log-folder.ts';

/** The folder of the settings; `undefined` where plugins may write no files. What is wrong with it is told at once, and stops nobody. */
export function openLogFolder({ logFolder }: Pick<Settings, 'logFolder'>, log: Logger): LogFolder | undefined {
  if (logFolder === undefined) return undefined;
  void tellOfTrouble(logFolder.folder, log);
  return new LogFolder(logFolder, system);
}

async function tellOfTrouble(folder: string, log: Logger): Promise<void> {
  try {
    await (await Folder.root(folder)).close();
  } catch (error) {
    log.warn({ error: codeOf(error) }, 'the folder of PORTCULLIS_LOG_DIR cannot be opened: plugins write no files');
  }
}
