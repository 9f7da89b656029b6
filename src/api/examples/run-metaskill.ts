import { runMetaskill } from '../index.ts';

const { ok, result } = await runMetaskill('skills/greet', { name: 'Ada' }, { answers: ['Hello, Ada!'] });

console.log(ok, result.includes('Hello, Ada!'));
