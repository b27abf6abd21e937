import type { CsharpTemplate } from './csharp-template.ts';

/** What a client throws: one family, so that a caller may catch all of it or one kind. */
export const exceptionTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: '',
    name: 'ApiClientException',
    usings: ['System'],
    body: String.raw`/// <summary>What all exceptions of this library have in common.</summary>
public abstract class ApiClientException : Exception
{
    internal ApiClientException(string message, Exception innerException) : base(message, innerException)
    {
    }
}`,
  },
  {
    subNamespace: '',
    name: 'ApiException',
    usings: ['System.Collections.Generic', 'Newtonsoft.Json', 'Newtonsoft.Json.Linq', '.Internal'],
    body: String.raw`/// <summary>
/// The server answered with a status other than 200 to 299. Redirects are answers of this kind too: they are not followed.
/// </summary>
public sealed class ApiException : ApiClientException
{
    internal ApiException(
        string operation, int statusCode, IReadOnlyDictionary<string, IReadOnlyList<string>> headers, string body)
        : base(operation + " was answered with status " + statusCode, null)
    {
        StatusCode = statusCode;
        Headers = headers;
        Body = body;
    }

    public int StatusCode { get; }

    /// <summary>By their names, whatever the case.</summary>
    public IReadOnlyDictionary<string, IReadOnlyList<string>> Headers { get; }

    /// <summary>The body as text, empty where there was none.</summary>
    public string Body { get; }

    /// <summary>The body as JSON; null where it is none.</summary>
    public JToken Json
    {
        get
        {
            try
            {
                return JsonText.Parse(Body);
            }
            catch (JsonException)
            {
                return null;
            }
        }
    }
}`,
  },
  {
    subNamespace: '',
    name: 'ApiConnectionException',
    usings: ['System'],
    body: String.raw`/// <summary>There was no whole answer, because the connection failed.</summary>
public sealed class ApiConnectionException : ApiClientException
{
    internal ApiConnectionException(string operation, Exception cause) : base(operation + " got no answer: " + cause.Message, cause)
    {
    }
}`,
  },
  {
    subNamespace: '',
    name: 'ApiTimeoutException',
    usings: ['System', 'System.Globalization'],
    body: String.raw`/// <summary>There was no whole answer in time. The server may have done what it was asked to all the same.</summary>
public sealed class ApiTimeoutException : ApiClientException
{
    internal ApiTimeoutException(string operation, TimeSpan timeout, Exception cause)
        : base(operation + " got no answer within " + timeout.TotalMilliseconds.ToString(CultureInfo.InvariantCulture) + " ms", cause)
    {
    }
}`,
  },
  {
    subNamespace: '',
    name: 'ApiDecodeException',
    usings: [],
    body: String.raw`/// <summary>A good answer that is not what the description of the API says. The message names the place.</summary>
public sealed class ApiDecodeException : ApiClientException
{
    private readonly string _operation;
    private readonly string _problem;

    internal ApiDecodeException(string problem) : this("", "", problem)
    {
    }

    private ApiDecodeException(string operation, string place, string problem)
        : base((operation == "" ? "" : operation + ": ") + (place == "" ? "the answer " : place + " ") + problem, null)
    {
        Place = place;
        _operation = operation;
        _problem = problem;
    }

    /// <summary>Where in the JSON text, as a JSON Pointer. Empty for the whole of it.</summary>
    public string Place { get; }

    /// <summary>The same problem, as one of the thing that the place is in.</summary>
    internal ApiDecodeException Within(string name)
    {
        return new ApiDecodeException(_operation, "/" + name.Replace("~", "~0").Replace("/", "~1") + Place, _problem);
    }

    /// <summary>The same problem, as one of a named operation.</summary>
    internal ApiDecodeException In(string operation)
    {
        return new ApiDecodeException(operation, Place, _problem);
    }
}`,
  },
];
