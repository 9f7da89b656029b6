import { listingFor } from '../index.ts';

const { entries, budget } = await listingFor('claude-code', '.');

for (const { name, state } of entries) console.log(name, state);
console.log(budget?.unit);
