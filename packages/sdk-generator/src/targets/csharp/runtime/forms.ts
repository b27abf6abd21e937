import type { CsharpTemplate } from './csharp-template.ts';

/** Bodies of forms, and files in them. */
export const formTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: 'Internal',
    name: 'FormData',
    usings: ['System.Collections.Generic', 'System.IO', 'System.Text', 'Newtonsoft.Json', 'Newtonsoft.Json.Linq', '.'],
    body: String.raw`/// <summary>The fields of a form.</summary>
internal sealed class FormData
{
    private readonly List<Part> _parts = new List<Part>();
    private readonly List<string> _pairs = new List<string>();

    /// <summary>The type of the part may be null.</summary>
    public void Text(string name, JToken value, ParameterStyle style, bool isExploded, string contentType)
    {
        _pairs.AddRange(style.Pairs(name, value, isExploded));
        foreach (var text in ParameterStyle.Form.Texts(value))
        {
            Add(name, contentType, text);
        }
    }

    /// <summary>The type of the part may be null.</summary>
    public void Json(string name, JToken value, string contentType)
    {
        _pairs.AddRange(ParameterStyle.Json.Pairs(name, value, false));
        foreach (var item in value is JArray ? (IEnumerable<JToken>)value : new[] { value })
        {
            Add(name, contentType ?? "application/json", item.ToString(Formatting.None));
        }
    }

    /// <summary>The type of the part counts where the file does not know its own, and may be null.</summary>
    public void File(string name, FilePart file, string contentType)
    {
        _parts.Add(new Part(name, file.FileName, file.ContentType ?? contentType ?? "application/octet-stream", file.Content));
    }

    /// <summary>The type of the parts counts where the files do not know their own, and may be null.</summary>
    public void Files(string name, IEnumerable<FilePart> files, string contentType)
    {
        foreach (var file in files)
        {
            File(name, file, contentType);
        }
    }

    public byte[] UrlEncoded()
    {
        return Encoding.ASCII.GetBytes(Percent.FromUriToForm(string.Join("&", _pairs)));
    }

    /// <summary>Source of the form: RFC 7578.</summary>
    public byte[] Multipart(string boundary)
    {
        using (var body = new MemoryStream())
        {
            foreach (var part in _parts)
            {
                var head = new StringBuilder("--").Append(boundary).Append("\r\n");
                head.Append("Content-Disposition: form-data; name=\"").Append(Quoted(part.Name)).Append('"');
                if (part.FileName != null)
                {
                    head.Append("; filename=\"").Append(Quoted(part.FileName)).Append('"');
                }
                head.Append("\r\n");
                if (part.ContentType != null)
                {
                    head.Append("Content-Type: ").Append(part.ContentType).Append("\r\n");
                }
                Put(body, Encoding.UTF8.GetBytes(head.Append("\r\n").ToString()));
                Put(body, part.Content);
                Put(body, new byte[] { 13, 10 });
            }
            Put(body, Encoding.ASCII.GetBytes("--" + boundary + "--\r\n"));
            return body.ToArray();
        }
    }

    private void Add(string name, string contentType, string text)
    {
        _parts.Add(new Part(name, null, contentType, Encoding.UTF8.GetBytes(text)));
    }

    private static void Put(Stream body, byte[] octets)
    {
        body.Write(octets, 0, octets.Length);
    }

    /// <summary>As browsers do it (HTML, multipart form data).</summary>
    private static string Quoted(string name)
    {
        return name.Replace("\"", "%22").Replace("\r", "%0D").Replace("\n", "%0A");
    }

    private sealed class Part
    {
        public Part(string name, string fileName, string contentType, byte[] content)
        {
            Name = name;
            FileName = fileName;
            ContentType = contentType;
            Content = content;
        }

        public string Name { get; }

        public string FileName { get; }

        public string ContentType { get; }

        public byte[] Content { get; }
    }
}`,
  },
  {
    subNamespace: '',
    name: 'FilePart',
    usings: ['System', '.Internal'],
    body: String.raw`/// <summary>A file in a form: its content, what it is called, and its media type where that is known.</summary>
public sealed class FilePart
{
    public FilePart(string fileName, byte[] content, string contentType = null)
    {
        FileName = fileName ?? throw new ArgumentNullException("fileName");
        Content = content ?? throw new ArgumentNullException("content");
        ContentType = contentType == null ? null : HeaderValues.Checked("contentType", contentType);
    }

    public string FileName { get; }

    public byte[] Content { get; }

    /// <summary>Such as image/png; null where it is not known.</summary>
    public string ContentType { get; }
}`,
  },
];
