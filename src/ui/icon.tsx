import styles from './icon.module.css';

/** Drawn on a grid of 16, with a line of 1.5, in the color of the text around them. */
const paths = {
  book: 'M8 4.2C6.6 3.2 4.6 2.8 2.2 2.8v9.4c2.4 0 4.4.4 5.8 1.4 1.4-1 3.4-1.4 5.8-1.4V2.8c-2.4 0-4.4.4-5.8 1.4zM8 4.2v9.4',
  check: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-left': 'M10 4l-4 4 4 4',
  'chevron-right': 'M6 4l4 4-4 4',
  'chevron-up': 'M4 10l4-4 4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  contrast: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  copy: 'M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6',
  cycle: 'M13.6 8A5.6 5.6 0 1 1 11.9 4M12.2 1.6V4.3H9.5M6.7 5.8v4.4L10.2 8z',
  download: 'M8 2.2v7.4M4.8 6.6 8 9.8l3.2-3.2M2.5 10.6v3h11v-3',
  error: 'M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2',
  eye: 'M1.6 8S4 3.8 8 3.8 14.4 8 14.4 8 12 12.2 8 12.2 1.6 8 1.6 8zM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z',
  file: 'M4 1.8h5.2L12.5 5v9.2H4zM9 2v3.3h3.3',
  folder: 'M1.8 12.8v-9h4.4l1.6 2h6.4v7z',
  help: 'M5.6 6a2.4 2.4 0 1 1 3.5 2.1c-.8.5-1.1.8-1.1 1.7M8 12.4v.1',
  hint: 'M8 2.2a4 4 0 0 0-2.2 7.4V11h4.4V9.6A4 4 0 0 0 8 2.2zM6.3 13.6h3.4',
  info: 'M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM8 7.4v3.4M8 5v.1',
  pin: 'M6 2.5h4M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v4.5',
  maximise: 'M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5 9 7M2.5 13.5 7 9',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  monitor: 'M1.8 3h12.4v8H1.8zM6 14h4M8 11v3',
  moon: 'M13 9.6A5.4 5.4 0 0 1 6.4 3a5.4 5.4 0 1 0 6.6 6.6z',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  'panel-bottom': 'M2 2.8h12v10.4H2zM2 9.4h12',
  'panel-left': 'M2 2.8h12v10.4H2zM6 2.8v10.4',
  'panel-right': 'M2 2.8h12v10.4H2zM10 2.8v10.4',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M4.5 2.8v10.4L13 8z',
  plus: 'M8 3v10M3 8h10',
  reload: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.4v2.8h-2.8',
  restore: 'M13.5 6.5h-4v-4M2.5 9.5h4v4M9.5 6.5 14 2M6.5 9.5 2 14',
  rows: 'M2.5 2v12M2.5 3.8h8M2.5 8h11M2.5 12.2h6',
  search: 'M7 2.6a4.4 4.4 0 1 1 0 8.8 4.4 4.4 0 0 1 0-8.8zM10.3 10.3 13.6 13.6',
  send: 'M2.5 13.5 14 8 2.5 2.5v4.3L9 8l-6.5 1.2z',
  settings:
    'M2 4.5h7M12.5 4.5H14M2 11.5h1.5M7 11.5h7M9 4.5a1.75 1.75 0 1 0 3.5 0 1.75 1.75 0 0 0-3.5 0zM3.5 11.5a1.75 1.75 0 1 0 3.5 0 1.75 1.75 0 0 0-3.5 0z',
  'step-into': 'M8 1.8v6.6M5.4 5.9 8 8.5l2.6-2.6M8 12.6v.1',
  'step-out': 'M8 8.6V2M5.4 4.5 8 1.9l2.6 2.6M8 12.6v.1',
  'step-over': 'M2.4 8.2a5.7 5.7 0 0 1 10.8-1.2M13.6 3.4v3.8H9.8M8 12.6v.1',
  stop: 'M4 4h8v8H4z',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  warning: 'M8 2.4 14.2 13H1.8zM8 6.4v3.2M8 11.4v.1',
} as const;

export type IconName = keyof typeof paths;

/** A image that stands beside words or in a labelled button; it says nothing by itself. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className={styles['icon']} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
