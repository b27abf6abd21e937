import { readFileSync } from 'node:fs';
import { parseDescription } from '@portcullis/openapi';
import { buildModel, type ModelBuilding } from '../build/build-model.ts';
import type { SdkModel } from '../model/sdk-model.ts';

/** A description of `testdata`, as a document. */
export function describedDocument(name: 'petstore' | 'odd-cases'): unknown {
  return parsed(readFileSync(new URL(`../testdata/${name}.yaml`, import.meta.url), 'utf8'));
}

/** The model of a description of `testdata`. */
export function describedModel(name: 'petstore' | 'odd-cases', baseUrl?: string): SdkModel {
  const building = buildModel(describedDocument(name), baseUrl);
  if (!building.ok) throw new Error(JSON.stringify(building.problems));
  return building.model;
}

/** What is made of a text in YAML, without its version and its `info` where they do not matter. */
export function buildingOf(yaml: string, version = '3.1.0'): ModelBuilding {
  const rest = parsed(yaml);
  return buildModel({ openapi: version, info: { title: 'T', version: '1' }, ...(rest as object) });
}

function parsed(text: string): unknown {
  const reading = parseDescription(text);
  if (!reading.ok) throw new Error(`line ${reading.error.line}: ${reading.error.message}`);
  return reading.document;
}
