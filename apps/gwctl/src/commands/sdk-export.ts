import { lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { answerAs } from '../api/answer-as.ts';
import { sdkArchiveSchema } from '../api/answers.ts';
import { pathSegment } from '../api/path-segment.ts';
import { openSession } from '../api/session.ts';
import { withProgress } from '../bundle/with-progress.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printOutcome } from '../output/document.ts';
import { printWarning } from '../output/messages.ts';
import { outputFile } from '../output/output-file.ts';
import { createFile, replaceFile } from '../replace-file.ts';
import { checkedArchive } from './sdk-archive.ts';

/** Options of `gwctl sdk export`. */
export interface SdkExportOptions extends GlobalOptions {
  readonly tenantId?: string;
  readonly gatewayId: string;
  readonly serviceId: string;
  readonly versionId: string;
  readonly target: string;
  readonly packageName?: string;
  readonly output: string;
  readonly force: boolean;
}

/**
 * Writes a client library of a service version to a file. What arrives is held against all that the control plane says of it first, and a
 * failed check writes nothing. Source: spec, Operator command-line tool; wire contract, gwctl.
 */
export async function exportSdk(options: SdkExportOptions): Promise<number> {
  const { target, packageName, output, force } = options;
  checkFolder(output);
  if (!force && !isFolder(output)) refuseExisting(output);
  const session = await openSession(options, 'read');
  const body = { target, ...(packageName !== undefined && { package_name: packageName }) };
  const answer = await withProgress('generating', () =>
    session.call('POST', exportPath(options), { query: { tenant_id: session.tenantId }, body }),
  );
  const archive = checkedArchive(answerAs(answer, sdkArchiveSchema), target);
  const file = outputFile(output, archive.fileName);
  if (force) replaceFile(file, archive.bytes);
  else {
    refuseExisting(file);
    createFile(file, archive.bytes);
  }
  const { size_bytes: bytes, checksum_sha256: checksum, warnings = [] } = archive.said;
  if (options.outputFormat === 'table') {
    for (const { pointer, message } of warnings) printWarning(`${pointer} ${message}`);
  }
  const { content_base64: _, file_name: _name, media_type: mediaType, ...said } = archive.said;
  const written = { file, media_type: mediaType, ...said };
  await printOutcome(options.outputFormat, written, `wrote ${file} (${target}, ${bytes} bytes, SHA-256 ${checksum})`);
  return exitCodes.done;
}

function exportPath({ gatewayId, serviceId, versionId }: SdkExportOptions): string {
  const [gateway, service] = [pathSegment(gatewayId, 'gateway'), pathSegment(serviceId, 'service')];
  const version = pathSegment(versionId, 'service version');
  return `/api/v1/admin/gateways/${gateway}/services/${service}/versions/${version}/sdk`;
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** @throws CommandFailure where the folder of the file is not there: it is not made, because it may be a slip of the pen */
function checkFolder(output: string): void {
  if (output === '') throw new CommandFailure('--output names no file');
  const folder = path.dirname(path.resolve(output));
  if (/[/\\]$/.test(output) ? !isFolder(output) : !isFolder(folder)) {
    throw new CommandFailure(`the folder of ${output} does not exist`);
  }
}

/** A link that leads nowhere is there too. @throws CommandFailure */
function refuseExisting(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  throw new CommandFailure(`${file} exists: give --force to replace it`);
}
