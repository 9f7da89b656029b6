import { startSimulator } from '../index.ts';

const simulator = await startSimulator();
const response = await fetch(`${simulator.url}/v1/models`, { headers: { 'x-api-key': 'any' } });

console.log(response.status);
await simulator.close();
