/** Three colors that only code has; the rest is tokens. 4.5:1 on the editor's surfaces, 7:1 in high contrast. */
export const SYNTAX = {
  light: { keyword: '#7b3fb0', string: '#256c39', number: '#8f5000' },
  dark: { keyword: '#c792ea', string: '#8bd49c', number: '#f2b673' },
  contrastLight: { keyword: '#4b0f80', string: '#0b4a1c', number: '#5c3300' },
  contrastDark: { keyword: '#e2b8ff', string: '#a8f0b8', number: '#ffd39a' },
} as const;
