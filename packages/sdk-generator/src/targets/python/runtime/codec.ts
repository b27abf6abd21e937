import { scalarCodecs } from './scalar-codecs.ts';

const compoundCodecs = String.raw`class _List(Codec[List[T]]):
    expected = "a list"

    def __init__(self, items: Codec[T]) -> None:
        self._items = items

    def decode(self, value: Any) -> List[T]:
        if not isinstance(value, list):
            raise self.unexpected(value)
        decoded: List[T] = []
        for index, item in enumerate(value):
            try:
                decoded.append(self._items.decode(item))
            except DecodeError as error:
                raise DecodeError(error.reason, f"[{index}]{error.path}") from None
        return decoded

    def encode(self, value: Sequence[T]) -> Any:
        if not isinstance(value, (list, tuple)):
            raise InvalidRequestError(f"must be a list, not {type(value).__name__}")
        encoded: List[Any] = []
        for index, item in enumerate(value):
            try:
                encoded.append(self._items.encode(item))
            except InvalidRequestError as error:
                raise InvalidRequestError(error.reason, f"[{index}]{error.path}") from None
        return encoded

    def accepts(self, value: Any) -> bool:
        return isinstance(value, (list, tuple)) and all(self._items.accepts(item) for item in value)


class _Map(Codec[Dict[str, T]]):
    expected = "an object"

    def __init__(self, values: Codec[T]) -> None:
        self._values = values

    def decode(self, value: Any) -> Dict[str, T]:
        if not isinstance(value, dict):
            raise self.unexpected(value)
        decoded: Dict[str, T] = {}
        for key, item in value.items():
            try:
                decoded[key] = self._values.decode(item)
            except DecodeError as error:
                raise DecodeError(error.reason, f"[{key!r}]{error.path}") from None
        return decoded

    def encode(self, value: Mapping[str, T]) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise InvalidRequestError(f"must be a dict with texts as keys, not {type(value).__name__}")
        encoded: Dict[str, Any] = {}
        for key, item in value.items():
            try:
                encoded[key] = self._values.encode(item)
            except InvalidRequestError as error:
                raise InvalidRequestError(error.reason, f"[{key!r}]{error.path}") from None
        return encoded

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Mapping) and all(
            isinstance(key, str) and self._values.accepts(item) for key, item in value.items()
        )


class _Nullable(Codec[Optional[T]]):
    def __init__(self, inner: Codec[T]) -> None:
        self._inner = inner

    def decode(self, value: Any) -> Optional[T]:
        return None if value is None else self._inner.decode(value)

    def encode(self, value: Optional[T]) -> Any:
        return None if value is None else self._inner.encode(value)

    def accepts(self, value: Any) -> bool:
        return value is None or self._inner.accepts(value)


class _Object(Codec[M]):
    expected = "an object"

    def __init__(self, model: Type[M]) -> None:
        self._model = model

    def decode(self, value: Any) -> M:
        return self._model.from_json(value)

    def encode(self, value: M) -> Any:
        if not self.accepts(value):
            raise InvalidRequestError(f"must be of type {self._model.__name__}, not {type(value).__name__}")
        return value.to_json()

    def accepts(self, value: Any) -> bool:
        return isinstance(value, self._model)

    def knows(self, value: Any) -> int:
        return sum(name in value for name in self._model._wire_names) if isinstance(value, dict) else 0


class _Enum(Codec[Union[E, T]]):
    """A value that the description does not know stays what it is: servers learn new ones."""

    def __init__(self, known: Type[E], base: Codec[T]) -> None:
        self._known = known
        self._base = base
        self.expected = base.expected

    def decode(self, value: Any) -> Union[E, T]:
        plain = self._base.decode(value)
        try:
            return self._known(plain)
        except ValueError:
            return plain

    def encode(self, value: Union[E, T]) -> Any:
        return self._base.encode(value.value if isinstance(value, enum.Enum) else value)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, self._known) or (not isinstance(value, enum.Enum) and self._base.accepts(value))

    def knows(self, value: Any) -> int:
        # What may be any text or number comes after all others.
        return 0 if any(member.value == value for member in self._known) else -1


Variants = Sequence[Tuple[Codec[Any], Sequence[str]]]


class _Decoding(threading.local):
    """What came of the values that the outermost union has in itself, by union and value: who tries each of its types with what is
    inside, on each level, never ends."""

    outcomes: Optional[Dict[Tuple[int, int], Tuple[Any, Optional[Tuple[str, str]]]]] = None


_decoding = _Decoding()


class _OneOf(Codec[Any]):
    """Several types: the field that tells which one counts first, then what fits and knows most of the value's fields, and of equals
    what demands most."""

    expected = "one of several types"

    def __init__(self, discriminator: Optional[str], variants: Callable[[], Variants]) -> None:
        self._discriminator = discriminator
        # Asked for at the first use: types may contain themselves.
        self._later = variants
        self._known: Optional[Variants] = None

    def _variants(self) -> Variants:
        if self._known is None:
            self._known = self._later()
        return self._known

    def decode(self, value: Any) -> Any:
        if not isinstance(value, (dict, list)):
            return self._decode(value)
        outcomes = _decoding.outcomes
        if outcomes is None:
            _decoding.outcomes = {}
            try:
                return self._decode(value)
            finally:
                _decoding.outcomes = None
        key = (id(self), id(value))
        if key not in outcomes:
            try:
                outcomes[key] = (self._decode(value), None)
            except DecodeError as error:
                # Not the error itself, which would keep all that was on the stack.
                outcomes[key] = (None, (error.reason, error.path))
        decoded, failure = outcomes[key]
        if failure is not None:
            raise DecodeError(*failure)
        return decoded

    def _decode(self, value: Any) -> Any:
        if self._discriminator is not None and isinstance(value, dict):
            tag = value.get(self._discriminator)
            for codec, tags in self._variants():
                if isinstance(tag, str) and tag in tags:
                    return codec.decode(value)
        for codec, _ in sorted(self._variants(), key=lambda variant: -variant[0].knows(value)):
            try:
                return codec.decode(value)
            except DecodeError:
                continue
        raise self.unexpected(value)

    def encode(self, value: Any) -> Any:
        for codec, tags in self._variants():
            if codec.accepts(value):
                encoded = codec.encode(value)
                if self._discriminator is not None and tags:
                    encoded.setdefault(self._discriminator, tags[0])
                return encoded
        raise InvalidRequestError(f"must be one of the types of this union, not {type(value).__name__}")

    def accepts(self, value: Any) -> bool:
        return any(codec.accepts(value) for codec, _ in self._variants())


ANY: Codec[Any] = _Any()
STRING: Codec[str] = _String()
BOOLEAN: Codec[bool] = _Boolean()
INTEGER: Codec[int] = _Integer()
NUMBER: Codec[float] = _Number()
DATE: Codec[datetime.date] = _Date()
DATE_TIME: Codec[datetime.datetime] = _DateTime()
BASE64: Codec[bytes] = _Base64()


def list_of(items: Codec[T]) -> _List[T]:
    return _List(items)


def sequence_of(items: Codec[T]) -> Codec[Sequence[T]]:
    """A list that is only sent: any list or tuple will do."""
    return cast("Codec[Sequence[T]]", _List(items))


def map_of(values: Codec[T]) -> _Map[T]:
    return _Map(values)


def nullable(inner: Codec[T]) -> Codec[Optional[T]]:
    return _Nullable(inner)


def object_of(model: Type[M]) -> Codec[M]:
    return _Object(model)


def enum_of(known: Type[E], base: Codec[T]) -> Codec[Union[E, T]]:
    return _Enum(known, base)


def one_of(discriminator: Optional[str], variants: Callable[[], Variants]) -> Codec[Any]:
    return _OneOf(discriminator, variants)
`;

/** `_codec.py`: how values become JSON and come from it. */
export const codecModule: string = scalarCodecs + compoundCodecs;
