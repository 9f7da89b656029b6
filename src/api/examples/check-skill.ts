import { checkSkill } from '../index.ts';

const { valid, problems } = checkSkill('---\nname: Bad Name\ndescription: Writes tests. Use for tests.\n---\n');

console.log(valid);
console.log(problems.find(({ severity }) => severity === 'error')?.line);
