import { checkFolder } from '../index.ts';

const { valid, skills } = await checkFolder('skills', { profile: 'strict' });

console.log(valid);
for (const { path, problems } of skills) console.log(path, problems.length);
