import { parentPort } from 'node:worker_threads';
import type { WorkerPort } from '../worker/port.ts';

export const nodeThreadPort = (): WorkerPort => {
  if (!parentPort) throw new Error('this file is for a thread');
  const parent = parentPort;
  return {
    post: (message) => parent.postMessage(message),
    onMessage: (handler) => void parent.on('message', handler),
  };
};
