import { scalarCodecs } from './scalar-codecs.ts';

const compoundCodecs = String.raw`    public static function listOf(self $items): self
    {
        return new self(
            'a list',
            static fn ($value) => is_array($value)
                ? self::each($value, $items->decode(...), static fn ($key) => "[$key]")
                : self::unexpected('a list', $value),
            static fn (array $value) => self::each(array_values($value), $items->encode(...), static fn ($key) => "[$key]"),
            static fn ($value) => is_array($value) && array_is_list($value),
            static fn ($value) => self::allFit($value, $items),
        );
    }

    public static function mapOf(self $values): self
    {
        $place = static fn (int|string $key): string => '[' . json_encode((string) $key, JSON_INVALID_UTF8_SUBSTITUTE) . ']';
        return new self(
            'an array with names',
            static fn ($value) => $value instanceof \stdClass
                ? self::each((array) $value, $values->decode(...), $place)
                : self::unexpected('an object', $value),
            static fn (array $value) => (object) self::each($value, $values->encode(...), $place),
            is_array(...),
            static fn ($value) => self::allFit($value, $values),
        );
    }

    public static function nullable(self $inner): self
    {
        return new self(
            "$inner->expected or null",
            static fn ($value) => $value === null ? null : $inner->decode($value),
            static fn ($value) => $value === null ? null : $inner->encode($value),
            static fn ($value) => $value === null || $inner->accepts($value),
        );
    }

    /** @param class-string<JsonObject> $class */
    public static function object(string $class): self
    {
        return new self(
            "a $class",
            static fn ($value) => $class::fromJson($value),
            static fn (JsonObject $value) => $value->jsonSerialize(),
            static fn ($value) => $value instanceof $class,
            null,
            static fn ($value) => $value instanceof \stdClass
                ? count(array_filter($class::WIRE_NAMES, static fn ($name) => property_exists($value, $name)))
                : 0,
        );
    }

    /**
     * A value that the description does not know stays what it is: servers learn new ones.
     *
     * @param class-string<\BackedEnum> $class
     */
    public static function enum(string $class, self $base): self
    {
        $isKnown = static fn (mixed $value): bool => in_array($value, array_column($class::cases(), 'value'), true);
        return new self(
            "a $class",
            static function ($value) use ($class, $base, $isKnown) {
                $plain = $base->decode($value);
                return $isKnown($plain) ? $class::from($plain) : $plain;
            },
            static fn ($value) => $value instanceof \BackedEnum ? $value->value : $value,
            static fn ($value) => $value instanceof $class || $base->accepts($value),
            null,
            // What may be any text or number comes after all others.
            static fn ($value) => $isKnown($value) ? 0 : -1,
        );
    }

    /**
     * Several types: the field that tells which one counts first, then what fits and knows most of the value's fields, and of equals
     * what demands most.
     *
     * @param \Closure(): list<array{self, list<string>}> $later asked for when needed: types may contain themselves
     */
    public static function oneOf(string $union, ?string $discriminator, \Closure $later): self
    {
        return new self(
            'one of the types of this union',
            static fn ($value) => Attempts::once($union, static fn () => self::decodeOneOf($discriminator, $later(), $value)),
            static function ($value) use ($discriminator, $later) {
                foreach ($later() as [$codec, $tags]) {
                    if (!$codec->accepts($value)) {
                        continue;
                    }
                    $encoded = $codec->encode($value);
                    if ($discriminator !== null && $tags !== [] && $encoded instanceof \stdClass) {
                        return (object) ((array) $encoded + [$discriminator => $tags[0]]);
                    }
                    return $encoded;
                }
                return null;
            },
            static function ($value) use ($later): bool {
                foreach ($later() as [$codec]) {
                    if ($codec->accepts($value)) {
                        return true;
                    }
                }
                return false;
            },
        );
    }

    /** @param list<array{self, list<string>}> $variants */
    private static function decodeOneOf(?string $discriminator, array $variants, mixed $value): mixed
    {
        $tag = $discriminator !== null && $value instanceof \stdClass ? ((array) $value)[$discriminator] ?? null : null;
        foreach ($variants as [$codec, $tags]) {
            if (is_string($tag) && in_array($tag, $tags, true)) {
                return $codec->decode($value);
            }
        }
        $known = array_map(static fn ($variant) => $variant[0]->knows === null ? 0 : ($variant[0]->knows)($value), $variants);
        // Equals stay in their order.
        arsort($known);
        foreach (array_keys($known) as $index) {
            [$fits, $decoded] = Attempts::try(static fn () => $variants[$index][0]->decode($value));
            if ($fits) {
                return $decoded;
            }
        }
        return self::unexpected('one of several types', $value);
    }

    private static function plain(string $expected, callable $is): self
    {
        return new self(
            $expected,
            static fn ($value) => $is($value) ? $value : self::unexpected($expected, $value),
            static fn ($value) => $value,
            $is(...),
        );
    }

    /** @param array<mixed> $values */
    private static function allFit(array $values, self $codec): bool
    {
        foreach ($values as $value) {
            if (!$codec->accepts($value)) {
                return false;
            }
        }
        return true;
    }

    /** @param array<mixed> $values */
    private static function each(array $values, \Closure $change, \Closure $place): array
    {
        $changed = [];
        foreach ($values as $key => $value) {
            try {
                $changed[$key] = Attempts::inside((string) $key, static fn () => $change($value));
            } catch (DecodeException $exception) {
                throw Attempts::failure() ?? $exception->below($place($key));
            } catch (InvalidValueException $exception) {
                throw $exception->below($place($key));
            }
        }
        return $changed;
    }

    private static function moment(mixed $value, string $pattern, string $expected): \DateTimeImmutable
    {
        if (!is_string($value) || preg_match($pattern, $value, $parts, PREG_UNMATCHED_AS_NULL) !== 1) {
            self::unexpected($expected, $value);
        }
        [, $day, $time, $fraction, $offset] = $parts + [2 => null, 3 => null, 4 => null];
        $text = "$day " . ($time ?? '00:00:00') . ($fraction ?? '.0') . strtoupper($offset ?? 'Z');
        $moment = \DateTimeImmutable::createFromFormat('Y-m-d H:i:s.uP', $text);
        // What is not in the calendar or on the clock is moved to another day or minute, with a warning.
        $isReal = $moment !== false && $moment->format('Y-m-d H:i:s') === "$day " . ($time ?? '00:00:00');
        return $isReal ? $moment : self::unexpected($expected, $value);
    }

    /** Says what a JSON value is without repeating it. */
    private static function unexpected(string $expected, mixed $value): never
    {
        if (Attempts::failure() !== null) {
            throw Attempts::failure();
        }
        $found = match (true) {
            $value === null => 'null',
            is_bool($value) => 'a boolean',
            is_int($value), is_float($value) => 'a number',
            is_string($value) => 'another text',
            is_array($value) => 'a list',
            default => 'an object',
        };
        throw new DecodeException("expected $expected, found $found");
    }
}
`;

/** `Runtime/Codec.php`: how values become JSON and come from it. */
export const codecClass: string = scalarCodecs + compoundCodecs;
