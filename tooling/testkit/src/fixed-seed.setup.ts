import fc from 'fast-check';

/** Any number would do: it makes a run of the property tests the same everywhere. */
const fixedSeed = 20_261_122;

/**
 * Property tests run from one seed, so that a change is judged by the change and not by the draw. `PORTCULLIS_TEST_SEED` takes another
 * number, or `random` for a draw of its own; a failure prints its seed and path either way.
 */
const wanted = process.env['PORTCULLIS_TEST_SEED'] ?? String(fixedSeed);
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
