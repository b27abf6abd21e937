import type { CsharpTemplate } from './csharp-template.ts';

/** `ApiRequest.cs`: what one call sends. */
export const requestTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: 'Internal',
    name: 'ApiRequest',
    usings: [
      'System',
      'System.Collections.Generic',
      'System.IO',
      'System.Linq',
      'System.Net.Http',
      'System.Text',
      'Newtonsoft.Json',
      'Newtonsoft.Json.Linq',
      '.',
    ],
    body: String.raw`/// <summary>What one call sends, put together piece by piece. Values that are null are left out.</summary>
internal sealed class ApiRequest
{
    private static readonly Encoding Utf8 = new UTF8Encoding(false);
    private readonly StringBuilder _path = new StringBuilder();

    /// <param name="method">of HTTP</param>
    /// <param name="template">of the path, for messages: it holds no values</param>
    public ApiRequest(string method, string template)
    {
        HttpMethod = method;
        Template = template;
    }

    public string HttpMethod { get; }

    public string Template { get; }

    public List<string> QueryPairs { get; } = new List<string>();

    public List<string> Cookies { get; } = new List<string>();

    public Dictionary<string, string> Headers { get; } = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

    public List<Scheme[]> Security { get; } = new List<Scheme[]>();

    /// <summary>Null where there is no body.</summary>
    public HttpContent Content { get; private set; }

    /// <summary>Method and path template, for messages.</summary>
    public string Operation => HttpMethod + " " + Template;

    /// <summary>A part of the path that stands there as it is.</summary>
    public ApiRequest Path(string literal)
    {
        _path.Append(literal);
        return this;
    }

    public ApiRequest PathParameter(string name, JToken value, ParameterStyle style, bool isGreedy)
    {
        var text = string.Join(",", style.Texts(value).Select(Percent.Encode));
        var encoded = isGreedy ? text.Replace("%2F", "/") : text;
        // Servers and proxies take such segments out: the request would be another one.
        if (encoded.Split('/').Any(segment => segment == "" || segment == "." || segment == ".."))
        {
            throw new ArgumentException("Parameter " + name + " must not be empty, \".\" or \"..\" in a path");
        }
        _path.Append(encoded);
        return this;
    }

    /// <summary>The path with all its values.</summary>
    public string FinishedPath()
    {
        if (_path.ToString().Split('/').Any(segment => segment == "." || segment == ".."))
        {
            throw new ArgumentException("Parameters must not make a path with \".\" or \"..\": " + Template);
        }
        return _path.ToString();
    }

    public ApiRequest Query(string name, JToken value, ParameterStyle style, bool isExploded)
    {
        QueryPairs.AddRange(style.Pairs(name, value, isExploded));
        return this;
    }

    public ApiRequest Cookie(string name, JToken value, ParameterStyle style, bool isExploded)
    {
        Cookies.AddRange(style.Pairs(name, value, isExploded));
        return this;
    }

    public ApiRequest Header(string name, JToken value, ParameterStyle style)
    {
        if (value != null && value.Type != JTokenType.Null)
        {
            var texts = style.Texts(value).ToList();
            if (texts.Count > 0)
            {
                var text = string.Join(",", texts);
                Headers[name] = HeaderValues.Checked(name, style == ParameterStyle.Json ? HeaderValues.Ascii(text) : text);
            }
        }
        return this;
    }

    public ApiRequest Accept(string mediaType)
    {
        Headers["Accept"] = mediaType;
        return this;
    }

    /// <summary>
    /// One of the ways to show who calls: schemes whose credentials are sent together. The first way that the client can go is gone.
    /// </summary>
    public ApiRequest Allow(params Scheme[] together)
    {
        Security.Add(together);
        return this;
    }

    public ApiRequest JsonBody(string mediaType, JToken value)
    {
        return value == null ? this : TextBody(mediaType, value.ToString(Formatting.None));
    }

    public ApiRequest TextBody(string mediaType, string value)
    {
        return value == null ? this : Body(mediaType, new ByteArrayContent(Utf8.GetBytes(value)));
    }

    public ApiRequest BinaryBody(string mediaType, Stream value)
    {
        return value == null ? this : Body(mediaType, new StreamContent(value));
    }

    public ApiRequest FormBody(string mediaType, FormData form)
    {
        return form == null ? this : Body(mediaType, new ByteArrayContent(form.UrlEncoded()));
    }

    public ApiRequest MultipartBody(string mediaType, FormData form)
    {
        if (form == null)
        {
            return this;
        }
        var boundary = "form-" + Guid.NewGuid().ToString("D");
        return Body(mediaType + "; boundary=" + boundary, new ByteArrayContent(form.Multipart(boundary)));
    }

    private ApiRequest Body(string mediaType, HttpContent content)
    {
        content.Headers.TryAddWithoutValidation("Content-Type", mediaType);
        Content = content;
        return this;
    }
}`,
  },
];
