import type { CsharpTemplate } from './csharp-template.ts';

/** What sends requests and reads answers. */
export const transportTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: 'Internal',
    name: 'Transport',
    usings: [
      'System',
      'System.Collections.Generic',
      'System.IO',
      'System.Linq',
      'System.Net.Http',
      'System.Text',
      'System.Threading',
      'System.Threading.Tasks',
      'Newtonsoft.Json',
      'Newtonsoft.Json.Linq',
      '.',
    ],
    body: String.raw`/// <summary>Sends requests and reads answers.</summary>
internal sealed class Transport : IDisposable
{
    private readonly HttpClient _httpClient;
    private readonly string _baseUrl;
    private readonly TimeSpan _timeout;
    private readonly IReadOnlyDictionary<string, string> _headers;
    private readonly Credentials _credentials;

    public Transport(
        HttpClient httpClient, string baseUrl, TimeSpan timeout, IReadOnlyDictionary<string, string> headers, Credentials credentials)
    {
        _httpClient = httpClient;
        _baseUrl = baseUrl;
        _timeout = timeout;
        _headers = headers;
        _credentials = credentials;
    }

    public void Dispose()
    {
        _httpClient.Dispose();
    }

    /// <summary>For answers that have nothing to say.</summary>
    public Task NoneAsync(ApiRequest request, CancellationToken cancellationToken)
    {
        return SendAsync(request, cancellationToken);
    }

    public async Task<T> JsonAsync<T>(ApiRequest request, Func<JToken, T> read, CancellationToken cancellationToken)
    {
        var answer = await SendAsync(request, cancellationToken).ConfigureAwait(false);
        return Decoded(request, answer.Body, read);
    }

    /// <summary>Null where the answer has no body.</summary>
    public async Task<T> JsonOrNullAsync<T>(ApiRequest request, Func<JToken, T> read, CancellationToken cancellationToken)
    {
        var answer = await SendAsync(request, cancellationToken).ConfigureAwait(false);
        return answer.Body.Length == 0 ? default(T) : Decoded(request, answer.Body, read);
    }

    public async Task<string> TextAsync(ApiRequest request, CancellationToken cancellationToken)
    {
        return (await SendAsync(request, cancellationToken).ConfigureAwait(false)).Text();
    }

    /// <summary>Null where the answer has no body.</summary>
    public async Task<string> TextOrNullAsync(ApiRequest request, CancellationToken cancellationToken)
    {
        var answer = await SendAsync(request, cancellationToken).ConfigureAwait(false);
        return answer.Body.Length == 0 ? null : answer.Text();
    }

    public async Task<byte[]> BinaryAsync(ApiRequest request, CancellationToken cancellationToken)
    {
        return (await SendAsync(request, cancellationToken).ConfigureAwait(false)).Body;
    }

    /// <summary>Null where the answer has no body.</summary>
    public async Task<byte[]> BinaryOrNullAsync(ApiRequest request, CancellationToken cancellationToken)
    {
        var answer = await SendAsync(request, cancellationToken).ConfigureAwait(false);
        return answer.Body.Length == 0 ? null : answer.Body;
    }

    private static T Decoded<T>(ApiRequest request, byte[] body, Func<JToken, T> read)
    {
        try
        {
            return read(JsonText.Parse(Encoding.UTF8.GetString(body)) ?? throw new ApiDecodeException("has no body"));
        }
        catch (JsonException)
        {
            throw new ApiDecodeException("is not JSON").In(request.Operation);
        }
        catch (ApiDecodeException problem)
        {
            throw problem.In(request.Operation);
        }
    }

    private async Task<Answer> SendAsync(ApiRequest request, CancellationToken cancellationToken)
    {
        using (var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken))
        using (var message = MessageOf(request))
        {
            limit.CancelAfter(_timeout);
            Answer answer;
            try
            {
                answer = await WholeAnswerAsync(message, limit.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException problem)
            {
                cancellationToken.ThrowIfCancellationRequested();
                throw new ApiTimeoutException(request.Operation, _timeout, problem);
            }
            catch (Exception problem) when (problem is HttpRequestException || problem is IOException)
            {
                throw new ApiConnectionException(request.Operation, problem);
            }
            if (answer.StatusCode < 200 || answer.StatusCode > 299)
            {
                throw new ApiException(request.Operation, answer.StatusCode, answer.Headers, answer.Text());
            }
            return answer;
        }
    }

    /// <summary>The body too: reading it does not stop by itself everywhere when time is up.</summary>
    private async Task<Answer> WholeAnswerAsync(HttpRequestMessage message, CancellationToken limit)
    {
        using (var response = await _httpClient
            .SendAsync(message, HttpCompletionOption.ResponseHeadersRead, limit).ConfigureAwait(false))
        {
            var reading = response.Content == null ? Task.FromResult(new byte[0]) : response.Content.ReadAsByteArrayAsync();
            var first = await Task.WhenAny(reading, Task.Delay(Timeout.Infinite, limit)).ConfigureAwait(false);
            if (first != reading)
            {
                Forget(reading);
                limit.ThrowIfCancellationRequested();
            }
            return new Answer(response, await reading.ConfigureAwait(false));
        }
    }

    /// <summary>For what fails when its response is disposed of, and is awaited by nobody any more.</summary>
    private static void Forget(Task task)
    {
        task.ContinueWith(failed => failed.Exception, TaskContinuationOptions.OnlyOnFaulted);
    }

    private HttpRequestMessage MessageOf(ApiRequest request)
    {
        var query = new List<string>(request.QueryPairs);
        var cookies = new List<string>(request.Cookies);
        var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var header in _headers.Concat(request.Headers))
        {
            headers[header.Key] = header.Value;
        }
        _credentials.Apply(request.Security, headers, query, cookies);
        if (cookies.Count > 0)
        {
            var given = headers.TryGetValue("Cookie", out var more) ? more + "; " : "";
            headers["Cookie"] = given + string.Join("; ", cookies);
        }
        var address = _baseUrl + request.FinishedPath() + (query.Count == 0 ? "" : "?" + string.Join("&", query));
        var message = new HttpRequestMessage(new HttpMethod(request.HttpMethod), new Uri(address)) { Content = request.Content };
        foreach (var header in headers)
        {
            if (!message.Headers.TryAddWithoutValidation(header.Key, header.Value)
                && (message.Content == null || !message.Content.Headers.TryAddWithoutValidation(header.Key, header.Value)))
            {
                throw new ArgumentException("The header " + header.Key + " cannot be sent");
            }
        }
        return message;
    }
}`,
  },
  {
    subNamespace: 'Internal',
    name: 'Answer',
    usings: ['System', 'System.Collections.Generic', 'System.Linq', 'System.Net.Http', 'System.Text'],
    body: String.raw`/// <summary>A whole answer.</summary>
internal sealed class Answer
{
    private readonly string _charset;

    public Answer(HttpResponseMessage response, byte[] body)
    {
        StatusCode = (int)response.StatusCode;
        Body = body;
        var headers = new Dictionary<string, IReadOnlyList<string>>(StringComparer.OrdinalIgnoreCase);
        foreach (var header in response.Headers.Concat(response.Content.Headers))
        {
            headers[header.Key] = header.Value.ToArray();
        }
        Headers = headers;
        var type = response.Content.Headers.ContentType;
        _charset = type == null || type.CharSet == null ? "utf-8" : type.CharSet.Trim('"');
    }

    public int StatusCode { get; }

    public IReadOnlyDictionary<string, IReadOnlyList<string>> Headers { get; }

    public byte[] Body { get; }

    public string Text()
    {
        try
        {
            return Encoding.GetEncoding(_charset).GetString(Body);
        }
        catch (ArgumentException)
        {
            return Encoding.UTF8.GetString(Body);
        }
    }
}`,
  },
  {
    subNamespace: 'Internal',
    name: 'JsonText',
    usings: ['System.IO', 'Newtonsoft.Json', 'Newtonsoft.Json.Linq'],
    body: String.raw`/// <summary>Reads JSON texts as they are: what looks like a date stays a text.</summary>
internal static class JsonText
{
    /// <summary>Deeper texts are refused: reading them could use up the stack.</summary>
    private const int DepthMax = 256;

    /// <summary>Null where there is nothing.</summary>
    /// <exception cref="JsonException">when it is no JSON</exception>
    public static JToken Parse(string text)
    {
        using (var reader = new JsonTextReader(new StringReader(text)))
        {
            reader.DateParseHandling = DateParseHandling.None;
            reader.MaxDepth = DepthMax;
            if (!reader.Read())
            {
                return null;
            }
            var json = JToken.ReadFrom(reader);
            if (reader.Read())
            {
                throw new JsonReaderException("There is something behind the JSON text.");
            }
            return json;
        }
    }
}`,
  },
];
