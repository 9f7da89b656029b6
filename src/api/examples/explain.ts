import { readFileSync } from 'node:fs';
import { explain } from '../index.ts';

const { verdicts } = await explain(readFileSync('requests.jsonl', 'utf8'));

for (const { kind, cause } of verdicts) console.log(kind, cause);
