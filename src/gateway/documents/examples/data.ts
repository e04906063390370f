import type * as data from '../../../protocol/routes/data.ts';
import type { Examples } from './row-example.ts';

export const dataExamples: Examples<typeof data> = {
  listDatasets: {
    reply: {
      robot: 'humanoid',
      datasets: [
        {
          name: 'samples',
          source: 6,
          converted: 2,
          missing: 4,
          extra: 0,
          failed: 0,
          linked: false,
          path: '/srv/motion-studio/data/humanoid/samples',
          scan: {
            hours: 0.0119,
            clips: 6,
            unreadable: [],
            unreadable_total: 0,
            histogram: {
              edges: [5, 7, 10],
              counts: [3, 3],
            },
            at: '2026-05-04T16:41:13.664Z',
          },
          error: null,
        },
      ],
    },
  },
  listClips: {
    query: {
      dataset: 'samples',
      q: 'walk*',
      size: 2,
    },
    reply: {
      dataset: 'samples',
      total: 1,
      page: 1,
      size: 2,
      pages: 1,
      clips: [
        {
          name: 'walk_forward',
          status: 'converted',
          failed: null,
          raw: true,
          stale: false,
          source: {
            file: 'walk_forward.csv',
            format: 'csv',
            bytes: 57945,
          },
          frames: 342,
          fps: 50,
          duration: 6.82,
          modified: '2026-05-04T16:41:01.381Z',
          qa: {
            worst: 'ok',
            issues: 0,
          },
          error: null,
        },
      ],
    },
  },
  listClipJoints: {
    reply: {
      joints: [
        {
          name: 'left_hip_pitch_joint',
          lower: -2.2,
          upper: 1,
        },
      ],
    },
  },
  getPreview: {
    reply: {
      open: true,
      loading: false,
      dataset: 'samples',
      clip: 'walk_forward',
      source: 'npz',
      frames: 342,
      fps: 50,
      frame: 47,
      time: 0.9537,
      playing: true,
      options: {
        speed: 1,
        loop: true,
        ghost: false,
        keybodies: false,
        contacts: false,
        trail: false,
      },
      grid: null,
      qa: {
        ok: true,
        issues: [],
      },
      error: null,
    },
  },
  loadClip: {
    body: {
      dataset: 'samples',
      clip: 'walk_forward',
      source: 'auto',
    },
    reply: {
      ok: true,
      task: 'load-1',
      busy: {
        task: 'load-1',
        label: 'Loading walk_forward',
        state: 'done',
        progress: 1,
        message: '',
        error: null,
        started: '2026-05-04T16:41:12.457Z',
        ended: '2026-05-04T16:41:12.809Z',
        result: null,
      },
    },
  },
  loadGrid: {
    body: {
      dataset: 'samples',
      q: 'walk*',
      count: 4,
    },
    reply: {
      ok: true,
      task: 'grid-1',
      busy: {
        task: 'grid-1',
        label: 'Loading 1 clip',
        state: 'done',
        progress: 1,
        message: '',
        error: null,
        started: '2026-05-04T16:41:14.039Z',
        ended: '2026-05-04T16:41:14.250Z',
        result: null,
      },
    },
  },
  closePreview: {
    body: {},
    reply: {
      ok: true,
    },
  },
  seekPreviewFrame: {
    body: {
      frame: 60,
    },
    reply: {
      ok: true,
      open: true,
      loading: false,
      dataset: 'samples',
      clip: 'walk_forward',
      source: 'npz',
      frames: 342,
      fps: 50,
      frame: 60,
      time: 1.2,
      playing: true,
      options: {
        speed: 1,
        loop: true,
        ghost: false,
        keybodies: false,
        contacts: false,
        trail: false,
      },
      grid: null,
      qa: {
        ok: true,
        issues: [],
      },
      error: null,
    },
  },
  seekPreviewTime: {
    body: {
      time: 1.5,
    },
    reply: {
      ok: true,
      open: true,
      loading: false,
      dataset: 'samples',
      clip: 'walk_forward',
      source: 'npz',
      frames: 342,
      fps: 50,
      frame: 75,
      time: 1.5,
      playing: true,
      options: {
        speed: 1,
        loop: true,
        ghost: false,
        keybodies: false,
        contacts: false,
        trail: false,
      },
      grid: null,
      qa: {
        ok: true,
        issues: [],
      },
      error: null,
    },
  },
  setPreviewPlaying: {
    body: {
      playing: false,
    },
    reply: {
      ok: true,
      open: true,
      loading: false,
      dataset: 'samples',
      clip: 'walk_forward',
      source: 'npz',
      frames: 342,
      fps: 50,
      frame: 75,
      time: 1.5153,
      playing: false,
      options: {
        speed: 1,
        loop: true,
        ghost: false,
        keybodies: false,
        contacts: false,
        trail: false,
      },
      grid: null,
      qa: {
        ok: true,
        issues: [],
      },
      error: null,
    },
  },
  setPreviewOptions: {
    body: {
      speed: 0.5,
      ghost: true,
    },
    reply: {
      ok: true,
      open: true,
      loading: false,
      dataset: 'samples',
      clip: 'walk_forward',
      source: 'npz',
      frames: 342,
      fps: 50,
      frame: 75,
      time: 1.5153,
      playing: false,
      options: {
        speed: 0.5,
        loop: true,
        ghost: true,
        keybodies: false,
        contacts: false,
        trail: false,
      },
      grid: null,
      qa: {
        ok: true,
        issues: [],
      },
      error: null,
    },
  },
  scanDataset: {
    body: {
      dataset: 'samples',
    },
    reply: {
      ok: true,
      task: 'scan-1',
      busy: {
        task: 'scan-1',
        label: 'Scanning samples',
        state: 'done',
        progress: 1,
        message: '',
        error: null,
        started: '2026-05-04T16:41:12.822Z',
        ended: '2026-05-04T16:41:13.664Z',
        result: null,
      },
    },
  },
  convertDataset: {
    body: {
      dataset: 'samples',
      which: 'selected',
      clips: ['squat', 'walk_forward'],
      mirror: false,
    },
    reply: {
      ok: true,
      job: 'convert-samples-1',
    },
  },
  createDataset: {
    body: {
      name: 'walks',
    },
    reply: {
      ok: true,
      dataset: 'walks',
    },
  },
  importDataset: {
    body: {
      source: '/home/ann/clips',
      name: 'walks',
      link: false,
    },
    reply: {
      ok: true,
      task: 'import-1',
    },
  },
  uploadClip: {
    params: {
      dataset: 'walks',
      file: 'walk_01.csv',
    },
    reply: {
      ok: true,
      clip: 'walk_01',
      bytes: 57945,
      clips: ['walk_01'],
    },
  },
  refreshDatasets: {
    body: {},
    reply: {
      ok: true,
      datasets: [
        {
          name: 'samples',
          source: 6,
          converted: 2,
          missing: 4,
          extra: 0,
          failed: 0,
          linked: false,
          path: '/srv/motion-studio/data/humanoid/samples',
          scan: {
            hours: 0.0119,
            clips: 6,
            unreadable: [],
            unreadable_total: 0,
            histogram: {
              edges: [5, 7, 10],
              counts: [3, 3],
            },
            at: '2026-05-04T16:41:13.664Z',
          },
          error: null,
        },
      ],
    },
  },
  downloadClip: {
    query: {
      dataset: 'samples',
      clip: 'walk_forward',
      source: 'npz',
    },
  },
  deleteDataset: {
    params: {
      dataset: 'walks',
    },
    reply: {
      ok: true,
    },
  },
  deleteClip: {
    params: {
      dataset: 'walks',
      clip: 'walk_01',
    },
    reply: {
      ok: true,
    },
  },
};
