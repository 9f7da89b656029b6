import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import {
  type Avoidable,
  avoidableOf,
  finishedRows,
  needsForecast,
  type Weighed,
} from '../../model/instruments/avoidable.ts';
import type { WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import type { WhatIfStore } from '../../stores/what-if-store.ts';

export interface WeighedRows {
  /** Nothing while a forecast is on its way. */
  readonly repairs: Weighed['repairs'] | undefined;
  readonly avoidable: (row: WaterfallRow) => Avoidable;
}

const NONE: Weighed['repairs'] = new Map();

/** What the rows in front could have saved. Asks for the forecast where a switch repairs one of them. */
export const useWeighed = (all: readonly WaterfallRow[], whatIf: WhatIfStore): WeighedRows => {
  const weighed = useStore(whatIf, (state) => state.weighed);
  const requests = useMemo(() => finishedRows(all), [all]);
  const needs = useMemo(() => all.some(needsForecast), [all]);
  const isRunning = requests !== all.length;
  useEffect(() => {
    if (needs && !isRunning) void whatIf.weigh(requests);
  }, [whatIf, needs, isRunning, requests]);
  return {
    repairs: !needs ? NONE : weighed?.requests === requests ? weighed.repairs : undefined,
    avoidable: (row) => avoidableOf(row, weighed, requests),
  };
};
