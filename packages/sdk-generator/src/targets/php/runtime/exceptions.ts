/** Everything that a call throws, by class. `NAMESPACE` stands for the library's. */
export const exceptionClasses: Readonly<Record<string, string>> = {
  SdkException: String.raw`/** What all exceptions of this library have in common. */
interface SdkException extends \Throwable
{
}
`,
  ApiException: String.raw`/** The server answered, but not with success: any status outside of 200 to 299, redirects among them. */
final class ApiException extends \RuntimeException implements SdkException
{
    /**
     * @param string $path the template of the path: values are left out, since they may be secret
     * @param array<string, string> $headers names in lower case
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
        parent::__construct("$method $path was answered with status $status", $status);
    }

    /** The body as parsed JSON, with objects as stdClass; null where it is something else. */
    public function json(): mixed
    {
        return json_decode($this->body);
    }
}
`,
  ConnectionException: String.raw`/** No answer came: the name is unknown, the connection was refused or broken, or TLS failed. */
class ConnectionException extends \RuntimeException implements SdkException
{
}
`,
  TimeoutException: String.raw`/** The answer was not there in time. */
final class TimeoutException extends ConnectionException
{
}
`,
  InvalidValueException: String.raw`/** A value cannot be sent. Nothing was. */
final class InvalidValueException extends \InvalidArgumentException implements SdkException
{
    /** @param string $place where it stands, such as body.tags[2] */
    public function __construct(public readonly string $reason, public readonly string $place = '')
    {
        parent::__construct($place === '' ? $reason : ltrim($place, '.') . ': ' . $reason);
    }

    /** The same, seen from further out. */
    public function below(string $place): self
    {
        return new self($this->reason, $place . $this->place);
    }
}
`,
  DecodeException: String.raw`/** A good answer is not what the description says. */
final class DecodeException extends \UnexpectedValueException implements SdkException
{
    /**
     * @param string $place where in the answer, such as .pets[0].name; empty for the whole
     * @param string $operation method and template of the path; empty where no call is behind it
     */
    public function __construct(
        public readonly string $reason,
        public readonly string $place = '',
        public readonly string $operation = '',
    ) {
        $what = $operation === '' ? 'the value' : "the answer to $operation";
        parent::__construct($what . ($place === '' ? '' : " at $place") . ": $reason");
    }

    /** The same, seen from further out. */
    public function below(string $place): self
    {
        return new self($this->reason, $place . $this->place);
    }
}
`,
};
