import com.example.petstore.ApiException;
import com.example.petstore.PetStoreClient;
import com.example.petstore.model.Pet;
import java.util.function.Supplier;

/** Makes a pet, reads it, and tells what the gateway and the shop refuse. The key is the only argument. */
public final class Calls {
    private Calls() {}

    public static void main(String[] args) {
        PetStoreClient client = PetStoreClient.builder().apiKey(args[0]).build();
        client.defaultApi().createPet(Pet.builder().id("rex 1").name("Rex").build());
        Pet pet = client.defaultApi().getPet("rex 1");
        System.out.println(pet.name() + " " + pet.id());
        System.out.println(status(() -> client.defaultApi().getPet("none")));
        System.out.println(
                status(() -> PetStoreClient.builder().build().defaultApi().getPet("rex 1")));
    }

    private static int status(Supplier<Pet> call) {
        try {
            throw new IllegalStateException("not refused: " + call.get());
        } catch (ApiException refused) {
            return refused.status();
        }
    }
}
