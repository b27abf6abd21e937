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

    /// <summary>The texts of a list, in which null is no item, or the one of another value.</summary>
    public IEnumerable<string> Texts(JToken value)
    {
        if (this == Json || !(value is JArray items))
        {
            return new[] { this == Json ? value.ToString(Formatting.None) : Text(value) };
        }
        return items.Where(item => item.Type != JTokenType.Null).Select(Text).ToList();
    }

    /// <summary>
    /// Encoded name=value pairs. Null, and what has nothing in it, is written nowhere. What is in an object, and what the specification
    /// leaves open: in a deepObject brackets go on for an object and a list repeats its name; else a list repeats its name where the fields
    /// have pairs of their own, and all others are JSON.
    /// </summary>
    public IEnumerable<string> Pairs(string name, JToken value, bool isExploded)
    {
        if (value != null && this == Json)
        {
            return new[] { Pair(name, Texts(value)) };
        }
        if (value == null || IsNothing(value))
        {
            return new string[0];
        }
        var isSpread = isExploded || this == DeepObject;
        if (value is JObject fields)
        {
            return Fields(name, fields.Properties().Where(field => !IsNothing(field.Value)).ToList(), isSpread);
        }
        var texts = Texts(value).ToList();
        return isSpread || !(value is JArray) ? texts.Select(text => Pair(name, new[] { text })) : Joined(name, texts);
    }

    public static string Text(JToken value)
    {
        switch (value.Type)
        {
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

    private IEnumerable<string> Fields(string name, IReadOnlyList<JProperty> fields, bool isSpread)
    {
        if (this == DeepObject)
        {
            return fields.SelectMany(field => Pairs(name + "[" + field.Name + "]", field.Value, true));
        }
        if (!isSpread)
        {
            return Joined(name, fields.SelectMany(field => new[] { field.Name, Text(field.Value) }).ToList());
        }
        return fields.SelectMany(field => field.Value is JArray
            ? Pairs(field.Name, field.Value, true)
            : new[] { Pair(field.Name, new[] { Text(field.Value) }) });
    }

    private IEnumerable<string> Joined(string name, IReadOnlyCollection<string> texts)
    {
        return texts.Count == 0 ? new string[0] : new[] { Pair(name, texts) };
    }

    private static bool IsNothing(JToken value)
    {
        return value.Type == JTokenType.Null || (value is JContainer container && !container.HasValues);
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

    /// <summary>JSON with all that is beyond ASCII escaped.</summary>
    public static string Ascii(string json)
    {
        return string.Concat(json.Select(unit => unit <= '~' ? unit.ToString() : "\\u" + ((int)unit).ToString("x4")));
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
