/** Asks the page once a second whether it is there, and keeps what it had opened when it isn't. */
import { openDatabase } from './database.ts';
import { keepFrozen } from './frozen.ts';
import { createSettings } from './settings.ts';
import { ASK, createFreezeWatch, type PageNews } from '../worker/freeze-watch.ts';
import { scopePort } from '../worker/scope-port.ts';

const port = scopePort(self);

const keep = async (what: unknown): Promise<void> => {
  // Opened for this alone: a connection that stays would keep other tabs from bringing the database up to date.
  const database = await openDatabase({});
  try {
    await keepFrozen(createSettings(database), what);
  } finally {
    database.close();
  }
};

const watch = createFreezeWatch({
  ask: () => port.post(ASK),
  // A browser that keeps nothing has nothing to open again.
  keep: (what) => void keep(what).catch(() => undefined),
});

port.onMessage((message) => watch.hear(message as PageNews));
setInterval(watch.tick, 1000);
