import { join } from 'node:path';
import { Failure } from '../failure.mjs';
import { readFileIfThere, writePrivateFile } from './private-file.mjs';

/** The port of {@link SAMPLE_ORIGIN}. */
const SAMPLE_PORT = 8002;

/** Where the sample's service points in examples/quickstart.yaml. */
const SAMPLE_ORIGIN = 'http://127.0.0.1:8002';

/**
 * The quick-start bundle for an upstream on another port.
 * @param {string} bundle YAML text of examples/quickstart.yaml.
 * @param {number} port
 * @returns {string}
 * @throws {Failure} when the bundle does not name the upstream it is known to name.
 */
export function sampleForPort(bundle, port) {
  const parts = bundle.split(new RegExp(`${SAMPLE_ORIGIN.replaceAll('.', '\\.')}(?!\\d)`));
  if (parts.length < 2)
    throw new Failure(`The sample bundle does not name ${SAMPLE_ORIGIN}, so it cannot be moved to port ${port}.`);
  return parts.join(`http://127.0.0.1:${port}`);
}

/**
 * Puts the sample, as this run applies it, beside the data: a copy for people to change and apply again.
 * @param {string} dataDir
 * @param {string} bundle {@link sampleForPort}'s.
 * @param {boolean} wasApplied whether an earlier start applied it: a copy of that time may hold changes and stays.
 */
export function keepSampleCopy(dataDir, bundle, wasApplied) {
  const file = join(dataDir, 'quickstart.yaml');
  if (!wasApplied || readFileIfThere(file) === null) writePrivateFile(file, bundle);
}

/**
 * The port of the sample's upstream. The control plane's records name it, so it stays what it was on the first start.
 * @param {number | null} wanted PORTCULLIS_SAMPLE_PORT, null when unset.
 * @param {number | null | undefined} kept the port the sample was applied with, if it was.
 * @returns {number} 0 for any free one.
 * @throws {Failure} when both are there and differ.
 */
export function samplePortOf(wanted, kept) {
  if (kept === null || kept === undefined) return wanted ?? SAMPLE_PORT;
  if (wanted === null || wanted === 0 || wanted === kept) return kept;
  throw new Failure(
    `The sample was applied with its upstream on port ${kept}: leave PORTCULLIS_SAMPLE_PORT unset, or set PORTCULLIS_DATA_DIR to start anew with port ${wanted}.`,
  );
}

/**
 * Whether the sample's upstream runs: not when it is switched off, and not when the first start made an empty gateway.
 * @param {import('./settings.mjs').Settings} settings
 * @param {import('./state-file.mjs').StartState} state
 * @returns {boolean}
 */
export function sampleRuns(settings, state) {
  return settings.sample && state.configured?.samplePort !== null;
}

/**
 * The key of the sample's consumer, for the command to copy.
 * @param {string} bundle
 * @returns {string}
 * @throws {Failure} when there is none.
 */
export function sampleKey(bundle) {
  const key = /^\s*-?\s*key:\s*['"]?([A-Za-z0-9_-]+)['"]?\s*$/m.exec(bundle)?.[1];
  if (key === undefined) throw new Failure('The sample bundle holds no credential with a key.');
  return key;
}
