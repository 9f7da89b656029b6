import { createContext, use } from 'react';

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

export const DensityContext = createContext<Density>('comfortable');

/** Of `--row-height` in tokens.css, in pixels: a virtual list must know it without measuring. */
const ROW_HEIGHTS: Readonly<Record<Density, number>> = { comfortable: 28, compact: 24 };

export const useRowHeight = (): number => ROW_HEIGHTS[use(DensityContext)];
