/** The pages of help, one for each panel. Their text is in `docs/help`. */
export const HELP_TOPICS = [
  { id: 'start', title: 'The first minutes' },
  { id: 'library', title: 'Library' },
  { id: 'editor', title: 'Editor' },
  { id: 'session', title: 'Session' },
  { id: 'overview', title: 'Overview' },
  { id: 'prefix', title: 'Prefix' },
  { id: 'cache-waterfall', title: 'Cache waterfall' },
  { id: 'activation-budget', title: 'Activation budget' },
  { id: 'event-stream', title: 'Event stream' },
  { id: 'metaskill-run', title: 'Metaskill run' },
  { id: 'problems', title: 'Problems' },
  { id: 'changes', title: 'Changes' },
  { id: 'log', title: 'Log' },
  { id: 'sandbox', title: 'Sandbox' },
  { id: 'import', title: 'Import' },
  { id: 'settings', title: 'Settings' },
] as const;

export type HelpTopic = (typeof HELP_TOPICS)[number]['id'];

export const isHelpTopic = (id: string): id is HelpTopic => HELP_TOPICS.some((topic) => topic.id === id);
