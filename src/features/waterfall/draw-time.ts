/** Draws lanes of spans on a canvas: thousands of them in one frame. */
import { splitTotal, wastedWrite } from '../../model/instruments/waterfall-view.ts';
import type { TimeLane, TimeRange, TimeSpan } from '../../model/instruments/time-axis.ts';

const LEVEL = 16;
const GAP = 3;
/** Between two lanes; the name of a lane is above its spans. */
const LANE_HEAD = 18;

export interface LanePlace {
  readonly lane: TimeLane;
  /** Of its first level, in pixels from the top of the lanes. */
  readonly top: number;
}

export const lanePlaces = (
  lanes: readonly TimeLane[],
): { readonly places: readonly LanePlace[]; readonly height: number } => {
  const places: LanePlace[] = [];
  let top = 0;
  for (const lane of lanes) {
    places.push({ lane, top: top + LANE_HEAD });
    top += LANE_HEAD + lane.levels * (LEVEL + GAP) + 4;
  }
  return { places, height: top };
};

/** The level of a lane at a height, if there is one. */
export const levelAt = (places: readonly LanePlace[], y: number): { lane: TimeLane; level: number } | undefined => {
  for (const { lane, top } of places) {
    const level = Math.floor((y - top) / (LEVEL + GAP));
    if (y >= top && level < lane.levels) return { lane, level };
  }
  return undefined;
};

const NAMES = [
  'read',
  'write',
  'uncached',
  'output',
  'accent',
  'error',
  'text-1',
  'text-2',
  'text-3',
  'bg-1',
  'line',
] as const;
export type Colors = Readonly<Record<(typeof NAMES)[number], string>>;

/** Colors of the theme as a canvas takes them: the browser resolves them at an element. */
export const readColors = (place: Element): Colors => {
  const probe = document.createElement('span');
  place.append(probe);
  const style = getComputedStyle(probe);
  const colors = Object.fromEntries(
    NAMES.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, style.color];
    }),
  ) as Record<(typeof NAMES)[number], string>;
  probe.remove();
  return colors;
};

export interface Drawing {
  readonly canvas: HTMLCanvasElement;
  readonly colors: Colors;
  readonly places: readonly LanePlace[];
  readonly range: TimeRange;
  readonly width: number;
  readonly height: number;
  readonly selected: string | undefined;
  readonly brushed: TimeRange | undefined;
}

const drawRequest = (
  context: CanvasRenderingContext2D,
  span: TimeSpan,
  box: readonly [number, number, number],
  colors: Colors,
): void => {
  const [x, y, width] = box;
  const { row } = span;
  const split = row?.actual;
  if (!row || !split) {
    context.fillStyle = row?.status === 'failed' ? colors['error'] : colors['uncached'];
    context.globalAlpha = 0.6;
    context.fillRect(x, y, width, LEVEL);
    context.globalAlpha = 1;
    return;
  }
  const total = Math.max(1, splitTotal(split));
  let at = x;
  const wasted = wastedWrite(row);
  const part = (tokens: number, color: string): void => {
    const own = (tokens / total) * width;
    context.fillStyle = color;
    context.fillRect(at, y, own, LEVEL);
    at += own;
  };
  part(split.read, colors['read']);
  const from = at;
  part(wasted, colors['write']);
  if (wasted > 0 && width > 6) {
    // Waste is hatched everywhere.
    context.save();
    context.beginPath();
    context.rect(from, y, at - from, LEVEL);
    context.clip();
    context.strokeStyle = colors['bg-1'];
    context.lineWidth = 2;
    context.beginPath();
    for (let line = from - LEVEL; line < at; line += 6) {
      context.moveTo(line, y + LEVEL);
      context.lineTo(line + LEVEL, y);
    }
    context.stroke();
    context.restore();
  }
  part(split.written - wasted, colors['write']);
  part(split.uncached, colors['uncached']);
};

/** One frame. What is narrower than a pixel and falls on one that is drawn already is left out. */
export const drawTime = ({ canvas, colors, places, range, width, height, selected, brushed }: Drawing): void => {
  const context = canvas.getContext('2d');
  if (!context) return;
  const ratio = window.devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const scale = width / (range.to - range.from);
  const xOf = (at: number): number => (at - range.from) * scale;
  if (brushed) {
    context.fillStyle = colors['accent'];
    context.globalAlpha = 0.14;
    context.fillRect(xOf(brushed.from), 0, xOf(brushed.to) - xOf(brushed.from), height);
    context.globalAlpha = 1;
  }
  context.textBaseline = 'middle';
  for (const { lane, top } of places) {
    context.font = '600 12px "Inter Variable", system-ui, sans-serif';
    context.fillStyle = colors['text-2'];
    context.fillText(lane.name, 2, top - 8);
    const drawnTo = Array.from({ length: lane.levels }, () => -1);
    for (const span of lane.spans) {
      if (span.to < range.from) continue;
      if (span.from > range.to) break;
      const x = xOf(span.from);
      const end = Math.max(xOf(span.to), x + 1.5);
      if (end < (drawnTo[span.level] ?? -1) + 0.5 && span.key !== selected) continue;
      drawnTo[span.level] = end;
      const y = top + span.level * (LEVEL + GAP);
      const own = Math.max(1.5, end - x - 0.5);
      if (span.kind === 'request') drawRequest(context, span, [x, y, own], colors);
      else {
        context.fillStyle = span.kind === 'tool' ? colors['output'] : colors['line'];
        context.fillRect(x, y, own, LEVEL);
        if (span.kind === 'waiting') {
          context.setLineDash([3, 3]);
          context.strokeStyle = colors['text-3'];
          context.strokeRect(x + 0.5, y + 0.5, Math.max(0, own - 1), LEVEL - 1);
          context.setLineDash([]);
        }
      }
      if (span.isLoss) {
        context.fillStyle = colors['error'];
        context.fillRect(x, y - 2, Math.min(own, 8), 2);
      }
      if (span.key === selected) {
        context.strokeStyle = colors['accent'];
        context.lineWidth = 2;
        context.strokeRect(x - 1, y - 1, own + 2, LEVEL + 2);
      }
      if (own > 8 + span.label.length * 7.3) {
        context.font = '500 12px "JetBrains Mono Variable", monospace';
        const room = span.label.length * 7.3 + 6;
        context.fillStyle = colors['bg-1'];
        context.globalAlpha = 0.85;
        context.fillRect(x + 2, y + 2, room, LEVEL - 4);
        context.globalAlpha = 1;
        context.fillStyle = colors['text-1'];
        context.fillText(span.label, x + 5, y + LEVEL / 2 + 0.5);
      }
    }
  }
};
