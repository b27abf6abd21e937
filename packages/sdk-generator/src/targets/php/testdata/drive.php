<?php

// Calls everything of the wide API and prints what came of it. The address is the only argument.

declare(strict_types=1);

use Acme\Wide\Absent;
use Acme\Wide\Client;
use Acme\Wide\Exception\ApiException;
use Acme\Wide\Exception\ConnectionException;
use Acme\Wide\Exception\DecodeException;
use Acme\Wide\Exception\InvalidValueException;
use Acme\Wide\Exception\SdkException;
use Acme\Wide\Exception\TimeoutException;
use Acme\Wide\FilePart;
use Acme\Wide\Model;

error_reporting(E_ALL);
set_error_handler(static fn ($code, $message) => throw new ErrorException($message));
// As PSR-4 says.
spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Acme\\Wide\\'))) . '.php';
});

$url = $argv[1];
$client = new Client($url);
$day = new DateTimeImmutable('2024-02-29');
$outcomes = [];

function errorOf(string $class, Closure $call): SdkException
{
    try {
        $call();
    } catch (SdkException $exception) {
        check($exception instanceof $class, get_class($exception) . ': ' . $exception->getMessage());
        return $exception;
    }
    throw new LogicException('nothing was thrown');
}

function check(bool $ok, string $what): void
{
    $ok || throw new LogicException($what);
}

$more = new Client($url, headers: ['X-More' => 'yes']);
$outcomes['find'] = $more->find(
    7,
    ['a/b', 'c d'],
    $day,
    level: [Model\Level::LOW, 'new'],
    plain: ['a', 'b,c'],
    spaced: ['a', 'b'],
    piped: [1, 2],
    filter: new Model\Filter(from: new DateTimeImmutable('2024-01-01'), maxSize: 5, of: new Model\Filter(maxSize: 6)),
    flat: ['k k' => 'v&'],
    pairs: ['a a' => 'b,b'],
    json: new Model\Filter(maxSize: 5),
    self: true,
    xTrace: ['a', 'b'],
    session: 's;1',
);
$outcomes['findLeast'] = $more->find(-1, ['a'], $day);
$prefs = new Model\Prefs(a: 1, b: 'x y', gone: null, none: []);
$full = new Model\Prefs(a: 1, b: 'x y', gone: null, half: 2, inner: new Model\Filter(maxSize: 5), list: ['p', 'q'], none: []);
$outcomes['styles'] = $client->styles(
    flat: $full,
    joined: $full,
    deep: $full,
    empty: [],
    many: [],
    xNone: [],
    xMap: ['k' => 'ü😀'],
    ids: [1, 2],
    short: [1, 2],
    prefs: $prefs,
    pair: $prefs,
);
$nothing = new Model\Prefs(gone: null, none: []);
$outcomes['stylesLeast'] = $client->styles($nothing, $nothing, $nothing, short: [], prefs: $nothing, pair: new Model\Prefs());
$outcomes['file'] = $client->file('a b/c?.txt');

$node = new Model\Node(
    id: 9007199254740991,
    class: 'learned later',
    madeAt: new DateTimeImmutable('2024-02-29T23:59:59.123456+02:00'),
    day: $day,
    note: null,
    comment: null,
    data: "\x00\x01\xff",
    ratio: 2,
    isOpen: false,
    children: [new Model\Node(id: 2, class: Model\Level::LOW, comment: 'text', rank: 7)],
    shape: new Model\Circle(kind: 'round', radius: 1.5),
    value: [1, 'a', new Model\Circle(kind: 'any', radius: 3)],
    labels: ['a b' => 'c'],
    free: ['deep' => [null]],
    rank: Model\Rank::N_1,
    additional: ['extra' => 5],
);
$outcomes['class'] = $client->class($node);
$outcomes['sendAny'] = $client->sendAny(['a', null]);
$outcomes['sendNull'] = $client->sendAny(null);

$read = $client->node();
$outcomes['node'] = $read;
$child = $read->children[0];
check($read->note === null && $child->note === Absent::Field && $child->parent === null && $child->free === Absent::Field, 'absent');
check($read->revision === 3 && $child->class === Model\Level::LOW && $child->revision === 1, 'values');
$utc = $read->madeAt->setTimezone(new DateTimeZone('UTC'));
$outcomes['nodeRead'] = [
    $read->class,
    $utc->format('Y-m-d\TH:i:s.u\Z'),
    (new ReflectionClass($read->shape))->getShortName(),
    $read->shape->radius,
    $child->rank,
    $read->additional['extra'],
    $read->rank === Model\Rank::N_1,
];
$outcomes['values'] = $client->values();
check($outcomes['values'][3] instanceof Model\Circle, 'union');
$square = new Model\Node(id: 1, class: 'low', comment: null, shape: new Model\Square(side: 1), labels: []);
check(str_contains(json_encode($square), '"shape":{"side":1,"kind":"square"},"labels":{}') && !str_contains(json_encode($square), 'note'), 'discriminator');

$outcomes['readings'] = [];
try {
    while (true) {
        try {
            $outcomes['readings'][] = $client->reading(count($outcomes['readings']))->number === 1;
        } catch (DecodeException) {
            $outcomes['readings'][] = false;
        }
    }
} catch (ApiException) {
    // There is no further one.
}

$outcomes['alike'] = $client->alike();
$kinds = array_map(static fn ($one) => (new ReflectionClass($one))->getShortName(), $outcomes['alike']);
check($kinds === ['Failed', 'Named', 'Named', 'Failed', 'Named'], 'alike');
$outcomes['sendAlike'] = $client->sendAlike([new Model\Failed(code: 1, message: 'x'), new Model\Named(name: 'n')]);
$deep = $client->deep();
for ($levels = 0; $deep->inner !== null; $levels++) {
    $deep = $deep->inner;
}
$outcomes['deep'] = [$levels, $deep->name];
errorOf(DecodeException::class, fn () => $client->tooDeep());
$outcomes['tooDeep'] = 'decode error';

$meta = new Model\Filter(maxSize: 5);
$where = new Model\Filter(maxSize: 5, of: new Model\Filter(from: new DateTimeImmutable('2024-01-01')));
$form = new Model\LoginForm(userName: 'a b&ü', tag: ['x', 'y'], ids: [1, 2], piped: [1, 2], where: $where, meta: $meta);
$outcomes['login'] = $client->login($form);
$outcomes['upload'] = $client->upload(new Model\UploadForm(
    titleX: 'T ü',
    photo: new FilePart("\x00\xff", 'a"b.jpg', 'image/jpeg'),
    pages: [new FilePart('one', '1.png', 'image/png'), new FilePart('two', '2.png', 'image/png')],
    meta: $meta,
    count: 3,
    note: ['*a*', '*b*'],
));
$outcomes['put'] = $client->put("\x00\xff\r\n");
$outcomes['say'] = $client->say('ü');
$outcomes['import'] = bin2hex($client->import());
$outcomes['text'] = $client->text();
$outcomes['maybe'] = $client->maybe();
$client->remove();
$outcomes['remove'] = null;

$failed = errorOf(ApiException::class, fn () => $client->fail('secret', q: 'secret'));
$outcomes['fail'] = [$failed->status, $failed->headers['x-request'], $failed->body, $failed->json()->code, $failed->getMessage()];
$outcomes['moved'] = errorOf(ApiException::class, fn () => $client->moved())->status;
$hasty = new Client($url, timeout: 0.3);
foreach (['slow', 'dripping'] as $name) {
    errorOf(TimeoutException::class, fn () => $hasty->$name());
    $outcomes[$name] = 'time-out';
}
$nowhere = errorOf(ConnectionException::class, fn () => (new Client('http://127.0.0.1:1', apiKey: 's3cret'))->either());
check(!$nowhere instanceof TimeoutException && !str_contains((string) $nowhere, 's3cret'), 'unreachable');
$outcomes['unreachable'] = 'no connection';
$outcomes['broken'] = errorOf(DecodeException::class, fn () => $client->broken())->getMessage();
$outcomes['noJson'] = errorOf(DecodeException::class, fn () => $client->noJson())->getMessage();

$outcomes['eitherNone'] = (new Client($url, bearerToken: 't'))->either();
$outcomes['eitherBasic'] = (new Client($url, bearerToken: 't', basicAuth: ['me', 'p:w']))->either();
$outcomes['eitherBoth'] = (new Client($url, bearerToken: 't', apiKey: 'k', basicAuth: ['me', 'p:w']))->either();
$outcomes['eitherKeys'] = (new Client($url, apiKeys: ['cookieKey' => 'c', 'queryKey' => 'q&']))->either();
$outcomes['token'] = (new Client($url, bearerToken: 't', apiKey: 'k'))->token();

errorOf(InvalidValueException::class, fn () => $client->find(1, ['a'], $day, xTrace: ["a\r\nX-Evil: 1"]));
errorOf(InvalidValueException::class, fn () => $client->find(1, ['a'], $day, xTrace: ['ü']));
check(!str_contains($more->find(1, ['a'], $day, session: "a\r\nb")->headers->cookie, "\n"), 'cookie');
errorOf(InvalidValueException::class, fn () => $client->fail('..'));
errorOf(InvalidValueException::class, fn () => $client->find(1, [], $day));
errorOf(InvalidValueException::class, fn () => $client->file('a/../b'));
errorOf(InvalidValueException::class, fn () => new Client($url, bearerToken: "a\nb"));
$outcomes['refused'] = ['header', 'header beyond ASCII', 'cookie of two lines is escaped', 'path ..', 'path empty', 'greedy path', 'token'];
$wrong = errorOf(InvalidValueException::class, fn () => $client->class(new Model\Node(1, 'low', null, children: ['no node'])));
check(str_starts_with($wrong->getMessage(), 'body.children[0]: '), $wrong->getMessage());
ob_start();
var_dump(new Client($url, bearerToken: 't0ken'));
check(!str_contains(ob_get_clean(), 't0ken'), 'credentials are dumped');

echo json_encode($outcomes, JSON_THROW_ON_ERROR), "\n";
