import type { CsharpTemplate } from './csharp-template.ts';

/** What all models have, and what lets serializers of the user read and write them. */
export const modelTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: '',
    name: 'IJsonModel',
    usings: ['Newtonsoft.Json.Linq'],
    body: String.raw`/// <summary>What all models of this library have in common.</summary>
public interface IJsonModel
{
    /// <summary>The value as it is sent: without what is only in answers.</summary>
    JToken ToJson();
}`,
  },
  {
    subNamespace: 'Internal',
    name: 'ModelConverter',
    usings: [
      'System',
      'System.Reflection',
      'System.Runtime.ExceptionServices',
      'Newtonsoft.Json',
      'Newtonsoft.Json.Linq',
      '.',
    ],
    body: String.raw`/// <summary>Lets serializers of Newtonsoft.Json read and write models as the client does.</summary>
internal sealed class ModelConverter : JsonConverter
{
    public override bool CanConvert(Type objectType)
    {
        return typeof(IJsonModel).IsAssignableFrom(objectType);
    }

    public override object ReadJson(JsonReader reader, Type objectType, object existingValue, JsonSerializer serializer)
    {
        reader.DateParseHandling = DateParseHandling.None;
        var json = JToken.ReadFrom(reader);
        if (json.Type == JTokenType.Null)
        {
            return null;
        }
        var attributes = (ModelReaderAttribute[])objectType.GetCustomAttributes(typeof(ModelReaderAttribute), false);
        var type = attributes.Length > 0 ? attributes[0].Type : objectType;
        try
        {
            return type.GetMethod("FromJson", BindingFlags.Public | BindingFlags.Static).Invoke(null, new object[] { json });
        }
        catch (TargetInvocationException problem)
        {
            ExceptionDispatchInfo.Capture(problem.InnerException).Throw();
            throw;
        }
    }

    public override void WriteJson(JsonWriter writer, object value, JsonSerializer serializer)
    {
        ((IJsonModel)value).ToJson().WriteTo(writer);
    }
}

/// <summary>Tells where the FromJson of an interface is.</summary>
[AttributeUsage(AttributeTargets.Interface)]
internal sealed class ModelReaderAttribute : Attribute
{
    public ModelReaderAttribute(Type type)
    {
        Type = type;
    }

    public Type Type { get; }
}`,
  },
];
