// Makes a pet, reads it, and tells what the gateway and the shop refuse. The key is the only argument.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	petstore "example.com/pet-store"
)

func clientWith(key string) *petstore.Client {
	client, err := petstore.NewClient(petstore.Options{APIKey: key})
	if err != nil {
		panic(err)
	}
	return client
}

func status(_ *petstore.Pet, err error) int {
	var refused *petstore.APIError
	if !errors.As(err, &refused) {
		panic(err)
	}
	return refused.StatusCode
}

func main() {
	ctx := context.Background()
	client := clientWith(os.Args[1])
	if _, err := client.CreatePet(ctx, petstore.Pet{ID: "rex 1", Name: "Rex"}); err != nil {
		panic(err)
	}
	pet, err := client.GetPet(ctx, "rex 1")
	if err != nil {
		panic(err)
	}
	fmt.Println(pet.Name, pet.ID)
	fmt.Println(status(client.GetPet(ctx, "none")))
	fmt.Println(status(clientWith("").GetPet(ctx, "rex 1")))
}
