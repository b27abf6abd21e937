"""Makes a pet, reads it, and tells what the gateway and the shop refuse. The key is the only argument."""

import sys

from pet_store_client import ApiError, Client
from pet_store_client.models import Pet


def status(call):
    try:
        call()
    except ApiError as error:
        return error.status


client = Client(api_key=sys.argv[1])
client.create_pet(Pet(id="rex 1", name="Rex"))
pet = client.get_pet("rex 1")
print(pet.name, pet.id)
print(status(lambda: client.get_pet("none")))
print(status(lambda: Client().get_pet("rex 1")))
