import { parentPort, workerData } from 'node:worker_threads';
import { parseStrictYaml } from './http/strict-yaml.ts';

/** The thread that parses one large YAML document: the parser takes about a second for three megabytes. */
parentPort?.postMessage(parseStrictYaml(String(workerData)));
