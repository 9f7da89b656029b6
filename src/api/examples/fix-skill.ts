import { fixSkill } from '../index.ts';

const { text, applied } = fixSkill('---\nname: tests\ndescription: Writes: tests. Use for tests.\n---\n\n# Tests\n');

console.log(applied.length);
console.log(text.split('\n')[2]);
