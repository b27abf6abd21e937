import { join } from 'node:path';
import { LogFileError, logPathParts, noLogFiles, type LogFile, type LogFiles } from '@portcullis/plugin-runtime';
import { Folder } from './adapters/folder.ts';
import { AppendedFile } from './appended-file.ts';
import type { RotationRule } from './rotation.ts';
import { TenantRoom } from './tenant-room.ts';

/** Files of one tenant that are open at a time: each holds two descriptors. */
export const LOG_FILES_OPEN_MAX = 100;

/** Where plugins may write, and how much. */
export interface LogFolderSettings extends RotationRule {
  /** The operator's folder; made when the first file is opened. */
  readonly folder: string;
  /** Bytes of all files of a tenant, those that were put aside too. */
  readonly tenantBytesMax: number;
}

/** What the folder needs of the process. */
export interface LogFolderPorts {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

interface SharedFile {
  readonly file: AppendedFile;
  users: number;
}

interface TenantFiles {
  readonly files: Map<string, SharedFile>;
  readonly logFiles: LogFiles;
}

/** The folder below which plugins append to files, with a folder for each tenant. In one process each file has one writer. */
export class LogFolder {
  readonly #settings: LogFolderSettings;
  readonly #ports: LogFolderPorts;
  readonly #tenants = new Map<string, TenantFiles>();

  constructor(settings: LogFolderSettings, ports: LogFolderPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  /** The files of a tenant. A tenant whose ID is no folder's name has none. */
  filesOf(tenantId: string): LogFiles {
    const known = this.#tenants.get(tenantId);
    if (known !== undefined) return known.logFiles;
    if (logPathParts(tenantId)?.length !== 1) return noLogFiles;
    const { folder, tenantBytesMax } = this.#settings;
    const room = new TenantRoom({
      path: join(folder, tenantId),
      bytesMax: tenantBytesMax,
      openFolder: (parts) => openBelow(folder, [tenantId, ...parts]),
      monotonicMs: this.#ports.monotonicMs,
    });
    const files = new Map<string, SharedFile>();
    const logFiles = { open: (path: string) => this.#open(tenantId, path, files, room) };
    this.#tenants.set(tenantId, { files, logFiles });
    return logFiles;
  }

  /** Lets go of all files: what is written next opens them by their names again. Never rejects. */
  async reopen(): Promise<void> {
    const all = [...this.#tenants.values()].flatMap(({ files }) => [...files.values()]);
    await Promise.allSettled(all.map(({ file }) => file.release()));
  }

  async #open(tenantId: string, path: string, files: Map<string, SharedFile>, room: TenantRoom): Promise<LogFile> {
    const parts = logPathParts(path);
    const name = parts?.at(-1);
    if (parts === undefined || name === undefined) throw new LogFileError('refused', 'the path is none of a log file');
    const known = files.get(path);
    if (known === undefined && files.size >= LOG_FILES_OPEN_MAX) {
      throw new LogFileError('refused', `a tenant may have ${LOG_FILES_OPEN_MAX} log files open`);
    }
    const openFolder = (): Promise<Folder> => openBelow(this.#settings.folder, [tenantId, ...parts.slice(0, -1)]);
    const shared = known ?? {
      file: new AppendedFile({ name, openFolder, room, rotation: this.#settings, nowMs: this.#ports.nowMs }),
      users: 0,
    };
    files.set(path, shared);
    shared.users += 1;
    let isClosed = false;
    const close = once(async () => {
      isClosed = true;
      shared.users -= 1;
      if (shared.users === 0 && files.get(path) === shared) files.delete(path);
      // Who else uses it opens it again with the next line.
      if (shared.users === 0) await shared.file.release();
    });
    try {
      await shared.file.open();
    } catch (error) {
      await close();
      throw error;
    }
    const append = async (lines: Uint8Array): Promise<void> => {
      if (isClosed) throw new LogFileError('failed', 'the file was closed');
      await shared.file.append(lines);
    };
    return { append, close };
  }
}

/** Opens a folder below another, part by part. */
async function openBelow(root: string, parts: readonly string[]): Promise<Folder> {
  let folder = await Folder.root(root);
  for (const part of parts) {
    const parent = folder;
    try {
      // oxlint-disable-next-line no-await-in-loop -- each is opened in the one before
      folder = await parent.enter(part);
    } finally {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await parent.close();
    }
  }
  return folder;
}

function once(step: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= step());
}
