import type { CsharpTemplate } from './csharp-template.ts';

/** `Write.cs`: values to JSON trees. */
export const writeTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: 'Internal',
    name: 'Write',
    usings: ['System', 'System.Collections.Generic', 'System.Globalization', 'Newtonsoft.Json.Linq', '.'],
    body: String.raw`/// <summary>Writes values as JSON trees.</summary>
internal static class Write
{
    /// <summary>Gives back what is there.</summary>
    public static T Required<T>(T value, string name) where T : class
    {
        return value ?? throw new ArgumentException(name + " is required, and is null");
    }

    public static JToken String(string value)
    {
        return new JValue(Required(value, "a text"));
    }

    public static JToken Boolean(bool value)
    {
        return new JValue(value);
    }

    public static JToken Int32(int value)
    {
        return new JValue((long)value);
    }

    public static JToken Int64(long value)
    {
        return new JValue(value);
    }

    public static JToken Number(double value)
    {
        if (double.IsNaN(value) || double.IsInfinity(value))
        {
            throw new ArgumentException("JSON has no number " + value.ToString(CultureInfo.InvariantCulture));
        }
        // 3 rather than 3.0: some servers take the second for no integer.
        return value == Math.Truncate(value) && Math.Abs(value) < 9007199254740992.0 ? new JValue((long)value) : new JValue(value);
    }

    public static JToken Date(DateTime value)
    {
        return new JValue(value.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture));
    }

    public static JToken Instant(DateTimeOffset value)
    {
        var text = value.ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFFFzzz", CultureInfo.InvariantCulture);
        return new JValue(text.EndsWith("+00:00", StringComparison.Ordinal) ? text.Substring(0, text.Length - 6) + "Z" : text);
    }

    public static JToken Bytes(byte[] value)
    {
        return new JValue(Convert.ToBase64String(Required(value, "a list of bytes")));
    }

    public static JToken Any(JToken value)
    {
        return value ?? JValue.CreateNull();
    }

    public static JToken Model(IJsonModel value)
    {
        return Required(value, "an object").ToJson();
    }

    public static Func<T, JToken> NullableOf<T>(Func<T, JToken> write) where T : class
    {
        return value => value == null ? JValue.CreateNull() : write(value);
    }

    public static Func<T?, JToken> NullableValueOf<T>(Func<T, JToken> write) where T : struct
    {
        return value => value.HasValue ? write(value.Value) : JValue.CreateNull();
    }

    public static Func<IReadOnlyList<T>, JToken> ListOf<T>(Func<T, JToken> write)
    {
        return values =>
        {
            var json = new JArray();
            foreach (var value in Required(values, "a list"))
            {
                json.Add(write(value));
            }
            return json;
        };
    }

    public static Func<IReadOnlyDictionary<string, T>, JToken> MapOf<T>(Func<T, JToken> write)
    {
        return values =>
        {
            var json = new JObject();
            Others(json, Required(values, "a map"), write);
            return json;
        };
    }

    /// <summary>Fields that a type does not know by name. Those that it does know stay as they are.</summary>
    public static void Others<T>(JObject json, IEnumerable<KeyValuePair<string, T>> values, Func<T, JToken> write)
    {
        foreach (var pair in values ?? new KeyValuePair<string, T>[0])
        {
            if (json.Property(pair.Key) == null)
            {
                json.Add(pair.Key, write(pair.Value));
            }
        }
    }
}`,
  },
];
