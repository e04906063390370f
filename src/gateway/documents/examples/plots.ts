import type * as plots from '../../../protocol/routes/plots.ts';
import type { Examples } from './route-example.ts';

export const plotsExamples: Examples<typeof plots> = {
  getClipPlots: {
    query: {
      group: 'root',
    },
    reply: {
      title: 'samples / walk_forward',
      fps: 50,
      frames: 342,
      channels: [
        {
          id: 'root.pos.x',
          name: 'root x',
          group: 'root',
          unit: 'm',
          lower: null,
          upper: null,
        },
      ],
      data: 'AACAPw==',
      ref: 'AAAAAAAAAABpNC4/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABpNC4/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABpNC4/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…',
      ref_label: 'raw source (walk_forward.csv)',
    },
  },
  getPlayPlots: {
    query: {
      env: 0,
    },
  },
};
