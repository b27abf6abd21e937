// Makes a pet, reads it, and tells what the gateway and the shop refuse. The key is the only argument.
import { ApiClient, ApiError } from './src/index.ts';

const status = (call) =>
  call.then(
    () => 'not refused',
    (error) => (error instanceof ApiError ? error.status : error),
  );

const client = new ApiClient({ apiKey: process.argv[2] });
await client.createPet({ body: { id: 'rex 1', name: 'Rex' } });
const pet = await client.getPet({ petId: 'rex 1' });
console.log(pet.name, pet.id);
console.log(await status(client.getPet({ petId: 'none' })));
console.log(await status(new ApiClient({}).getPet({ petId: 'rex 1' })));
