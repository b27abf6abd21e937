<?php

// Makes a pet, reads it, and tells what the gateway and the shop refuse. The key is the only argument.

declare(strict_types=1);

use PetStore\Client\Client;
use PetStore\Client\Exception\ApiException;
use PetStore\Client\Model\Pet;

error_reporting(E_ALL);
set_error_handler(static fn ($code, $message) => throw new ErrorException($message));
// As PSR-4 says.
spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('PetStore\\Client\\'))) . '.php';
});

function status(Closure $call): int
{
    try {
        $call();
    } catch (ApiException $refused) {
        return $refused->status;
    }
    throw new LogicException('not refused');
}

$client = new Client(apiKey: $argv[1]);
$client->createPet(new Pet(id: 'rex 1', name: 'Rex'));
$pet = $client->getPet('rex 1');
echo $pet->name, ' ', $pet->id, "\n";
echo status(static fn () => $client->getPet('none')), "\n";
echo status(static fn () => (new Client())->getPet('rex 1')), "\n";
