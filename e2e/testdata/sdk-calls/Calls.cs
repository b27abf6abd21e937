using System;
using System.Threading.Tasks;
using PetStoreSdk;
using PetStoreSdk.Models;

/// <summary>Makes a pet, reads it, and tells what the gateway and the shop refuse. The key is the only argument.</summary>
public static class Calls
{
    public static int Main(string[] args)
    {
        RunAsync(args[0]).GetAwaiter().GetResult();
        return 0;
    }

    private static async Task RunAsync(string key)
    {
        var client = new PetStoreClient(new PetStoreClientOptions { ApiKey = key });
        await client.Default.CreatePetAsync(new Pet { Id = "rex 1", Name = "Rex" });
        var pet = await client.Default.GetPetAsync("rex 1");
        Console.WriteLine(pet.Name + " " + pet.Id);
        Console.WriteLine(await StatusAsync(() => client.Default.GetPetAsync("none")));
        var stranger = new PetStoreClient(new PetStoreClientOptions());
        Console.WriteLine(await StatusAsync(() => stranger.Default.GetPetAsync("rex 1")));
    }

    private static async Task<int> StatusAsync(Func<Task<Pet>> call)
    {
        try
        {
            await call();
        }
        catch (ApiException refused)
        {
            return refused.StatusCode;
        }
        throw new InvalidOperationException("not refused");
    }
}
