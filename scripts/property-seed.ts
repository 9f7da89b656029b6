/**
 * Property tests draw the same cases on every run, so that a red run is about the change that it tests. `LATHE_SEED=<number>`
 * draws others, `LATHE_SEED=random` new ones each time; what they find becomes a case of its own.
 */
import fc from 'fast-check';

const given = process.env['LATHE_SEED'] ?? '2026';
if (given !== 'random') fc.configureGlobal({ seed: Number(given) });
