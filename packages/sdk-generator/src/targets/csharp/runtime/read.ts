import type { CsharpTemplate } from './csharp-template.ts';

/** `Read.cs`: JSON trees to values. Places of failures are put together on the way out, so that reading costs nothing for them. */
export const readTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: 'Internal',
    name: 'Read',
    usings: [
      'System',
      'System.Collections.Generic',
      'System.Globalization',
      'System.Text.RegularExpressions',
      'Newtonsoft.Json.Linq',
      '.',
    ],
    body: String.raw`/// <summary>Reads values out of JSON trees.</summary>
internal static partial class Read
{
    private static readonly Regex Rfc3339 = new Regex(
        @"\A([0-9-]{10})[Tt]([0-9:]{8})(?:\.([0-9]{1,7})[0-9]*)?([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])\z", RegexOptions.CultureInvariant);

    private static readonly Regex Base64 = new Regex(@"\A[A-Za-z0-9+/]*={0,2}\z", RegexOptions.CultureInvariant);

    public static JObject Object(JToken json)
    {
        return json as JObject ?? throw new ApiDecodeException("must be an object");
    }

    public static T Required<T>(JObject json, string name, Func<JToken, T> read)
    {
        var value = json[name];
        if (value == null)
        {
            throw new ApiDecodeException("is missing").Within(name);
        }
        return Within(name, value, read);
    }

    public static T Optional<T>(JObject json, string name, Func<JToken, T> read) where T : class
    {
        var value = json[name];
        return IsNull(value) ? null : Within(name, value, read);
    }

    public static T? OptionalValue<T>(JObject json, string name, Func<JToken, T> read) where T : struct
    {
        var value = json[name];
        return IsNull(value) ? (T?)null : Within(name, value, read);
    }

    /// <summary>The fields that a type does not know by name.</summary>
    public static Dictionary<string, T> Others<T>(JObject json, HashSet<string> known, Func<JToken, T> read)
    {
        var values = new Dictionary<string, T>();
        foreach (var field in json)
        {
            if (!known.Contains(field.Key))
            {
                values[field.Key] = Within(field.Key, field.Value, read);
            }
        }
        return values;
    }

    public static string String(JToken json)
    {
        return json.Type == JTokenType.String ? (string)json : throw new ApiDecodeException("must be a string");
    }

    public static bool Boolean(JToken json)
    {
        return json.Type == JTokenType.Boolean ? (bool)json : throw new ApiDecodeException("must be true or false");
    }

    public static int Int32(JToken json)
    {
        var value = Int64(json);
        return value >= int.MinValue && value <= int.MaxValue
            ? (int)value
            : throw new ApiDecodeException("must be an integer of 32 bits");
    }

    public static long Int64(JToken json)
    {
        var value = json is JValue scalar ? scalar.Value : null;
        if (value is long integer)
        {
            return integer;
        }
        // 1.0 and 1e3 are integers too, as JSON Schema has it.
        if (value is double number && number == Math.Truncate(number) && Math.Abs(number) < 9223372036854775808.0)
        {
            return (long)number;
        }
        throw new ApiDecodeException("must be an integer of 64 bits");
    }

    public static double Number(JToken json)
    {
        return json.Type == JTokenType.Float || json.Type == JTokenType.Integer
            ? Convert.ToDouble(((JValue)json).Value is System.Numerics.BigInteger big ? (double)big : ((JValue)json).Value, CultureInfo.InvariantCulture)
            : throw new ApiDecodeException("must be a number");
    }

    public static DateTime Date(JToken json)
    {
        return DateTime.TryParseExact(String(json), "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.None, out var value)
            ? value
            : throw new ApiDecodeException("must be a date (YYYY-MM-DD)");
    }

    /// <summary>Digits below 100 nanoseconds are cut.</summary>
    public static DateTimeOffset Instant(JToken json)
    {
        var match = Rfc3339.Match(String(json));
        var offset = match.Groups[4].Value.ToUpperInvariant() == "Z" ? "+00:00" : match.Groups[4].Value;
        var text = match.Groups[1].Value + "T" + match.Groups[2].Value + "." + match.Groups[3].Value.PadRight(7, '0') + offset;
        return DateTimeOffset.TryParseExact(
            text, "yyyy-MM-dd'T'HH:mm:ss.fffffffzzz", CultureInfo.InvariantCulture, DateTimeStyles.None, out var value)
            ? value
            : throw new ApiDecodeException("must be a date with time and offset (RFC 3339)");
    }

    /// <summary>RFC 4648, 4: with padding, and nothing between.</summary>
    public static byte[] Bytes(JToken json)
    {
        var text = String(json);
        try
        {
            return Base64.IsMatch(text) ? Convert.FromBase64String(text) : throw new FormatException();
        }
        catch (FormatException)
        {
            throw new ApiDecodeException("must be Base64");
        }
    }

    public static JToken Any(JToken json)
    {
        return json;
    }

    public static Func<JToken, T> NullableOf<T>(Func<JToken, T> read) where T : class
    {
        return json => IsNull(json) ? null : read(json);
    }

    public static Func<JToken, T?> NullableValueOf<T>(Func<JToken, T> read) where T : struct
    {
        return json => IsNull(json) ? (T?)null : read(json);
    }

    public static Func<JToken, IReadOnlyList<T>> ListOf<T>(Func<JToken, T> read)
    {
        return json =>
        {
            var list = json as JArray ?? throw new ApiDecodeException("must be a list");
            var items = new List<T>(list.Count);
            foreach (var item in list)
            {
                items.Add(Within(items.Count.ToString(CultureInfo.InvariantCulture), item, read));
            }
            return items;
        };
    }

    public static Func<JToken, IReadOnlyDictionary<string, T>> MapOf<T>(Func<JToken, T> read)
    {
        return json => Others(Object(json), new HashSet<string>(), read);
    }

    /// <summary>Takes only what is one of the known values.</summary>
    public static Func<JToken, T> KnownOf<T>(Func<JToken, T> read, IReadOnlyList<T> known)
    {
        return json =>
        {
            var value = read(json);
            foreach (var one in known)
            {
                if (one.Equals(value))
                {
                    return value;
                }
            }
            throw new ApiDecodeException("is not one of the known values");
        };
    }

    private static bool IsNull(JToken json)
    {
        return json == null || json.Type == JTokenType.Null;
    }

    private static T Within<T>(string name, JToken value, Func<JToken, T> read)
    {
        try
        {
            return read(value);
        }
        catch (ApiDecodeException problem)
        {
            throw problem.Within(name);
        }
    }
}`,
  },
];
