/** The class of `Runtime` that bounds what unions cost. `NAMESPACE` stands for the library's. */
export const attemptClasses: Readonly<Record<string, string>> = {
  Attempts: String.raw`use NAMESPACE\Exception\DecodeException;

/**
 * What came of the values that the outermost union has in itself: who tries each type of a union with what is inside, on each level,
 * never ends.
 */
final class Attempts
{
    /** @var array<string, array{bool, mixed}> by the union that was tried here */
    private array $outcomes = [];

    /** @var array<self> by names of fields and numbers of items */
    private array $inside = [];

    /** Where in the outermost union the decoding is. */
    private static ?self $place = null;

    /** What is thrown while types are tried: who tries the next one asks for no reason, and a trace for each would cost the most. */
    private static ?DecodeException $failure = null;

    public static function failure(): ?DecodeException
    {
        return self::$failure;
    }

    /** Decodes what is in a list or an object. */
    public static function inside(string $key, \Closure $decode): mixed
    {
        if (self::$place === null) {
            return $decode();
        }
        $outer = self::$place;
        self::$place = $outer->inside[$key] ??= new self();
        try {
            return $decode();
        } finally {
            self::$place = $outer;
        }
    }

    /** Decodes a union, once for each place. */
    public static function once(string $union, \Closure $decode): mixed
    {
        $outer = self::$place;
        $place = self::$place ??= new self();
        try {
            $outcome = $place->outcomes[$union] ?? null;
            if ($outcome === null) {
                // Until there is a value, and where there never is one.
                $place->outcomes[$union] = [false, null];
                $place->outcomes[$union] = $outcome = [true, $decode()];
            }
            return $outcome[0] ? $outcome[1] : throw self::$failure ?? new DecodeException('expected one of several types');
        } finally {
            self::$place = $outer;
        }
    }

    /**
     * Decodes one of several types, which may not fit.
     *
     * @return array{bool, mixed}
     */
    public static function try(\Closure $decode): array
    {
        $outer = self::$failure;
        self::$failure ??= new DecodeException('it does not fit');
        try {
            return [true, $decode()];
        } catch (DecodeException) {
            return [false, null];
        } finally {
            self::$failure = $outer;
        }
    }
}
`,
};
