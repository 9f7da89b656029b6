export { metaskillListContent } from './metaskill-list.tsx';
export { metaskillRunContent } from './metaskill-run-panel.tsx';
export { runScrubberContent } from './run-scrubber.tsx';
