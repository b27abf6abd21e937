import type { CsharpTemplate } from './csharp-template.ts';

/** How values stand in addresses, headers and forms, and what keeps them in their places. */
export const encodingTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: 'Internal',
    name: 'ParameterStyle',
    usings: [
      'System.Collections.Generic',
      'System.Globalization',
      'System.Linq',
      'Newtonsoft.Json',
      'Newtonsoft.Json.Linq',
    ],
    body: String.raw`/// <summary>How values stand in addresses, headers and forms.</summary>
internal sealed class ParameterStyle
{
    public static readonly ParameterStyle Simple = new ParameterStyle(",");
    public static readonly ParameterStyle Form = new ParameterStyle(",");
    public static readonly ParameterStyle SpaceDelimited = new ParameterStyle("%20");
    public static readonly ParameterStyle PipeDelimited = new ParameterStyle("%7C");
    public static readonly ParameterStyle DeepObject = new ParameterStyle(",");
    public static readonly ParameterStyle Json = new ParameterStyle(",");

    private readonly string _separator;

    private ParameterStyle(string separator)
    {
        _separator = separator;
    }

    /// <summary>The items of a list, names and values of an object one after the other, or the value itself.</summary>
    public IEnumerable<string> Texts(JToken value)
    {
        if (this == Json)
        {
            return new[] { value.ToString(Formatting.None) };
        }
        if (value is JObject fields)
        {
            return fields.Properties().SelectMany(field => new[] { field.Name, Text(field.Value) });
        }
        return value is JArray items ? items.Select(Text) : new[] { Text(value) };
    }

    /// <summary>Encoded name=value pairs. None where the value is null or has no items.</summary>
    public IEnumerable<string> Pairs(string name, JToken value, bool isExploded)
    {
        if (value == null || value.Type == JTokenType.Null)
        {
            return new string[0];
        }
        if (this == Json || !(value is JContainer container))
        {
            return new[] { Pair(name, Texts(value)) };
        }
        if (!container.HasValues)
        {
            return new string[0];
        }
        if (this == DeepObject)
        {
            return Deep(name, value);
        }
        if (!isExploded)
        {
            return new[] { Pair(name, Texts(value)) };
        }
        return value is JObject fields
            ? fields.Properties().Select(field => Pair(field.Name, new[] { Text(field.Value) }))
            : value.Select(item => Pair(name, new[] { Text(item) }));
    }

    public static string Text(JToken value)
    {
        switch (value.Type)
        {
            case JTokenType.Null:
                return "";
            case JTokenType.Boolean:
                return (bool)value ? "true" : "false";
            case JTokenType.Float:
                return ((double)value).ToString("R", CultureInfo.InvariantCulture);
            case JTokenType.Object:
            case JTokenType.Array:
                return value.ToString(Formatting.None);
            default:
                return System.Convert.ToString(((JValue)value).Value, CultureInfo.InvariantCulture);
        }
    }

    private static IEnumerable<string> Deep(string name, JToken value)
    {
        if (value is JObject fields)
        {
            return fields.Properties().SelectMany(field => Deep(name + "[" + field.Name + "]", field.Value));
        }
        if (value is JArray items)
        {
            return items.SelectMany(item => Deep(name, item));
        }
        return value.Type == JTokenType.Null ? new string[0] : new[] { Percent.Encode(name) + "=" + Percent.Encode(Text(value)) };
    }

    private string Pair(string name, IEnumerable<string> texts)
    {
        return Percent.Encode(name) + "=" + string.Join(_separator, texts.Select(Percent.Encode));
    }
}`,
  },
  {
    subNamespace: 'Internal',
    name: 'Percent',
    usings: ['System.Text'],
    body: String.raw`/// <summary>Percent-encoding of RFC 3986.</summary>
internal static class Percent
{
    private const string Unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    public static string Encode(string text)
    {
        var encoded = new StringBuilder(text.Length + 8);
        foreach (var octet in Encoding.UTF8.GetBytes(text))
        {
            if (octet < 128 && Unreserved.IndexOf((char)octet) >= 0)
            {
                encoded.Append((char)octet);
            }
            else
            {
                encoded.Append('%').Append(octet.ToString("X2"));
            }
        }
        return encoded.ToString();
    }

    /// <summary>The encoding of forms in HTML, where a space is a plus, and tildes and commas are none of the characters that stay.</summary>
    public static string FromUriToForm(string encoded)
    {
        return encoded.Replace("%20", "+").Replace("~", "%7E").Replace("%2A", "*").Replace(",", "%2C");
    }
}`,
  },
  {
    subNamespace: 'Internal',
    name: 'HeaderValues',
    usings: ['System', 'System.Linq'],
    body: String.raw`/// <summary>Looks at values of headers before they are sent, and never repeats them: they may be secrets.</summary>
internal static class HeaderValues
{
    public static string Checked(string name, string value)
    {
        return value.All(character => character == '\t' || (character >= ' ' && character <= '~'))
            ? value
            : throw new ArgumentException("The value of " + name + " has a character that headers cannot hold");
    }

    /// <summary>For cookies that are sent as they are.</summary>
    public static string CheckedCookie(string name, string value)
    {
        return value.All(character => character > ' ' && character <= '~' && "\",;\\".IndexOf(character) < 0)
            ? value
            : throw new ArgumentException("The value of " + name + " has a character that cookies cannot hold");
    }
}`,
  },
];
