import { fieldOf, isObject, pointerTo } from '@portcullis/openapi';
import type { Operation, Parameter, Referred } from '@portcullis/openapi';
import type { ParameterStyle, SdkParameter } from '../model/operations.ts';
import type { TypeRef } from '../model/type-refs.ts';
import { joinedWords } from '../names/joined-words.ts';
import { UniqueWords } from '../names/unique-words.ts';
import { wordsOf, type Words } from '../names/words.ts';
import { isJsonMedia, parseMediaType } from './media-types.ts';
import { addressType } from './parameter-types.ts';
import { describedBy, isMarked } from './schemas/descriptions.ts';
import { isUsableName } from './schemas/object-members.ts';
import { stringType } from './schemas/scalar-types.ts';
import type { TypeBuilder } from './schemas/type-builder.ts';

/** Names that methods have for something else. */
const reservedNames = ['body', 'options', 'request'] as const;

/** Headers that OpenAPI describes elsewhere. Source: OpenAPI 3.1.1, 4.8.12.2. */
const headersElsewhere: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

type Read = Pick<SdkParameter, 'type' | 'style' | 'isExploded'>;

/** The parameters of an operation, required ones first. */
export function parametersOf(builder: TypeBuilder, operation: Operation, words: Words): readonly SdkParameter[] {
  const unique = new UniqueWords(reservedNames);
  const parameters = [...described(builder, operation), ...undescribed(builder, operation)].flatMap((parameter) => {
    const { name, in: given, definition, pointer, required } = parameter;
    const place = given === 'querystring' ? 'query' : given;
    const read = valueOf(builder, parameter, joinedWords(words, wordsOf(name)));
    if (read === undefined) return [];
    const schema = builder.source.field({ value: definition, pointer }, 'schema')?.value;
    return [
      {
        wireName: name,
        words: nameOf(unique, name, place),
        place,
        ...read,
        isRequired: required,
        description: describedBy(definition, schema),
        isDeprecated: isMarked('deprecated', definition, schema),
      },
    ];
  });
  return [...parameters.filter(({ isRequired }) => isRequired), ...parameters.filter(({ isRequired }) => !isRequired)];
}

function described({ source }: TypeBuilder, operation: Operation): readonly Parameter[] {
  const inPath = pathNames(operation);
  return operation.parameters.filter(({ name, in: place, pointer }) => {
    if (place === 'header' && headersElsewhere.has(name.toLowerCase())) return false;
    if (place === 'path' && !inPath.includes(name)) {
      source.findings.warn(pointer, 'is not in the path, and is left out');
      return false;
    }
    const isToken = /^[\w!#$%&'*+.^`|~-]+$/.test(name);
    if ((place === 'header' || place === 'cookie') && !isToken) {
      source.findings.refuse(pointer, `must have a name that a ${place} can have`);
      return false;
    }
    return isUsableName(source, name, pointer);
  });
}

/** Places of a path that no parameter describes: texts. */
function undescribed({ source }: TypeBuilder, operation: Operation): readonly Parameter[] {
  const known = new Set(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name));
  return pathNames(operation)
    .filter((name) => !known.has(name) && isUsableName(source, name, operation.pointer))
    .map((name): Parameter => {
      source.findings.warn(
        operation.pointer,
        `does not describe the path parameter ${name.slice(0, 60)}: it is a text`,
      );
      return {
        name,
        in: 'path',
        required: true,
        definition: { schema: { type: 'string' } },
        pointer: operation.pointer,
      };
    });
}

function pathNames({ segments }: Operation): readonly string[] {
  return segments.flat().flatMap((part) => (part.kind === 'parameter' ? [part.name] : []));
}

/** A name that is reserved or taken says its place, too. */
function nameOf(unique: UniqueWords, name: string, place: SdkParameter['place']): Words {
  const words = wordsOf(name);
  return unique.take(unique.isTaken(words) ? [...words, place] : words);
}

function valueOf(builder: TypeBuilder, parameter: Parameter, words: Words): Read | undefined {
  const { definition, pointer, in: place } = parameter;
  const content = fieldOf(definition, 'content');
  if (isObject(content)) {
    return contentValue(builder, parameter, { value: content, pointer: pointerTo(pointer, 'content') }, words);
  }
  if (place === 'querystring') {
    builder.source.findings.refuse(pointer, 'must have a content of application/x-www-form-urlencoded');
    return undefined;
  }
  const usual: ParameterStyle = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const style = fieldOf(definition, 'style') ?? usual;
  const styles: readonly ParameterStyle[] = place === 'query' ? queryStyles : [usual];
  const known = styles.find((one) => one === style);
  if (known === undefined) {
    builder.source.findings.refuse(
      pointerTo(pointer, 'style'),
      `must be ${styles.join(', ')}: clients write no other style in this place`,
    );
    return undefined;
  }
  if (fieldOf(definition, 'allowReserved') === true) {
    builder.source.findings.warn(pointer, 'has allowReserved: reserved characters are escaped all the same');
  }
  const explode = fieldOf(definition, 'explode');
  const isExploded = typeof explode === 'boolean' ? explode : known === 'form' || known === 'deepObject';
  const type = builder.typeOf(fieldOf(definition, 'schema'), pointerTo(pointer, 'schema'), words);
  return addressType(builder, { type, style: known, isExploded }, pointer);
}

const queryStyles = [
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
] as const satisfies readonly ParameterStyle[];

/** A parameter that has a media type instead of a style. */
function contentValue(
  builder: TypeBuilder,
  { in: place, pointer }: Parameter,
  content: Referred,
  words: Words,
): Read | undefined {
  const [entry] = builder.source.entries(content);
  const name = entry && parseMediaType(entry[0])?.name;
  const type: TypeRef | undefined =
    entry && builder.typeOf(fieldOf(entry[1].value, 'schema'), pointerTo(entry[1].pointer, 'schema'), words);
  if (name === undefined || type === undefined) {
    builder.source.findings.refuse(content.pointer, 'must have one media type');
    return undefined;
  }
  if (place === 'querystring') {
    if (name === 'application/x-www-form-urlencoded')
      return addressType(builder, { type, style: 'form', isExploded: true }, pointer);
  } else if (isJsonMedia(name)) {
    return { type, style: 'json', isExploded: false };
  } else if (name === 'text/plain') {
    return { type: stringType, style: place === 'query' || place === 'cookie' ? 'form' : 'simple', isExploded: false };
  }
  builder.source.findings.refuse(
    content.pointer,
    'must be application/json or text/plain, the media types of parameters that clients write',
  );
  return undefined;
}
