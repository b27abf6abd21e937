/*
 * Files that plugins append lines to. A runtime touches no file system: a host that lets plugins write passes `LogFiles` for each tenant, and
 * where they lie, how large they grow and when they are reopened is the host's. Source: security rules, `file_log.path`.
 */

/** Longest path of a file, in characters. */
export const LOG_PATH_LENGTH_MAX = 512;

/**
 * Path of a file below the tenant's folder: at most eight parts, of letters that every file system takes as they are. None begins with a dot
 * or a dash, so that none is `..`, hidden or taken for an option; none ends like a file that a rotation has put aside (`.1`).
 */
export const LOG_PATH: RegExp =
  /^(?!.*\.[0-9]+(?:\/|$))[A-Za-z0-9_][A-Za-z0-9._-]{0,127}(?:\/[A-Za-z0-9_][A-Za-z0-9._-]{0,127}){0,7}$/;

/**
 * The parts of a file's path; `undefined` for what is none. The one rule for configs and hosts: what passes it names no place outside. Links
 * are the host's to refuse. Source: security rules, `file_log.path`.
 */
export function logPathParts(path: string): readonly string[] | undefined {
  return path.length <= LOG_PATH_LENGTH_MAX && LOG_PATH.test(path) ? path.split('/') : undefined;
}

/** A file that is open for appending. */
export interface LogFile {
  /**
   * Appends whole lines: what is given in one call stands together in the file.
   * @throws an error whose `code` is a {@link LogFileFailure}, by a rejection
   */
  append(lines: Uint8Array): Promise<void>;
  /** Writes what is left and lets go of the file. Safe to call twice. */
  close(): Promise<void>;
}

/** See the head of this file. */
export interface LogFiles {
  /**
   * Opens a file below the tenant's folder, and makes it and the folders to it where they are missing. Two that open one path share the file.
   * @param path relative, `/` between its parts
   * @throws an error whose `code` is a {@link LogFileFailure}, by a rejection
   */
  open(path: string): Promise<LogFile>;
}

/**
 * Why a file was not written.
 * - `refused`: the path leads out of the tenant's folder, or is none; or this host lets nobody write.
 * - `full`: the tenant's files have reached the operator's bound, or the disk is full.
 * - `failed`: the system refused it.
 */
export type LogFileFailure = (typeof failures)[number];

const failures = ['refused', 'full', 'failed'] as const;

/** Why a file was not written, whatever class the host's errors are of; `undefined` for an error of something else. */
export function logFileFailure(error: unknown): LogFileFailure | undefined {
  return error instanceof Error && 'code' in error ? failures.find((code) => code === error.code) : undefined;
}

/** A file that was not written, for hosts that have no class of their own. The message names no path outside the tenant's folder. */
export class LogFileError extends Error {
  override readonly name = 'LogFileError';
  readonly code: LogFileFailure;

  constructor(code: LogFileFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The files of hosts that have none: nothing is opened. */
export const noLogFiles: LogFiles = {
  open: () =>
    Promise.reject(new LogFileError('refused', 'this host lets plugins write no files: it passes no `logFilesOf`')),
};
