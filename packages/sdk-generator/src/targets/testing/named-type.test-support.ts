import type { SdkModel } from '../../model/sdk-model.ts';
import { wordsOf } from '../../names/words.ts';
import { wideModel } from './wide-model.test-support.ts';

/** A model with one more type, whose name is a text of a description. */
export function withTypeOfName(name: string): SdkModel {
  const [type] = wideModel.types;
  if (type === undefined) throw new Error('another model');
  return { ...wideModel, types: [...wideModel.types, { ...type, id: `named ${name}`, words: wordsOf(name) }] };
}
