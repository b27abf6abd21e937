import type { SdkModel } from '../../model/sdk-model.ts';
import { codeLicence } from '../../source-text/code-licence.ts';
import { plainLines } from '../../source-text/plain-text.ts';
import { textOf } from '../../source-text/lines.ts';
import type { TargetOptions } from '../../target.ts';
import { literal } from './text.ts';

/** What `import` takes for a distribution of this name. */
export function moduleName(packageName: string): string {
  return packageName.replaceAll('-', '_');
}

/** `pyproject.toml`. Basic strings of TOML escape as Python's do, but for `\x`. */
export function pyproject(model: SdkModel, { packageName, packageVersion }: TargetOptions, head: string): string {
  const name = moduleName(packageName);
  const summary = plainLines(`Client of ${model.title}`).join(' ').slice(0, 200);
  return textOf(
    head,
    '[build-system]',
    // The first one that reads a licence as an expression (PEP 639).
    'requires = ["setuptools>=77"]',
    'build-backend = "setuptools.build_meta"',
    '',
    '[project]',
    `name = ${literal(packageName)}`,
    `version = ${literal(packageVersion)}`,
    `description = ${tomlString(summary)}`,
    'readme = "README.md"',
    `license = ${literal(codeLicence)}`,
    'license-files = ["LICENSE"]',
    'requires-python = ">=3.9"',
    'classifiers = ["Programming Language :: Python :: 3", "Typing :: Typed"]',
    'dependencies = []',
    '',
    '[tool.setuptools]',
    `packages = [${literal(name)}]`,
    '',
    '[tool.setuptools.package-data]',
    `${name} = ["py.typed"]`,
  );
}

/** `__init__.py` */
export function initModule(head: string): string {
  return textOf(
    head,
    '',
    '"""A client with its types in models and its errors in errors."""',
    '',
    'from . import models',
    'from ._fields import UNSET, Unset',
    'from ._forms import FilePart',
    'from ._transport import HttpRequest, HttpResponse, HttpTransport, Transport',
    'from .client import Client',
    'from .errors import (',
    '    ApiError,',
    '    ConnectionFailedError,',
    '    DecodeError,',
    '    InvalidRequestError,',
    '    RequestTimeoutError,',
    '    SdkError,',
    ')',
    '',
    '__all__ = [',
    ...'ApiError Client ConnectionFailedError DecodeError FilePart HttpRequest HttpResponse HttpTransport InvalidRequestError RequestTimeoutError SdkError Transport UNSET Unset models'
      .split(' ')
      .map((name) => `    "${name}",`),
    ']',
  );
}

function tomlString(text: string): string {
  return literal(text).replace(/\\x(..)/g, '\\u00$1');
}
