import type * as datasets from '../../../protocol/routes/datasets.ts';
import type { Examples } from './route-example.ts';

export const datasetsExamples: Examples<typeof datasets> = {
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
          excluded: false,
          weight: 2,
          tags: ['gait'],
          raw: true,
          stale: false,
          source: {
            file: 'walk_forward.csv',
            format: 'csv',
            bytes: 57945,
            assumed: [
              { what: 'quaternion', value: 'xyzw', from: 'format' },
              { what: 'units', value: 'm', from: 'format' },
              { what: 'fps', value: 30, from: 'guess' },
              { what: 'joint_order', value: 'robot', from: 'guess' },
            ],
          },
          frames: 342,
          fps: 50,
          duration: 6.82,
          modified: '2026-05-04T16:41:01.381Z',
          qa: {
            worst: 'ok',
            issues: 0,
          },
          score: {
            feasibility: 0.93,
            complexity: 0.31,
            torque: 0.62,
            support: 0.031,
            collision: 0,
            jerk: 212.4,
            airborne: 0,
          },
          error: null,
        },
      ],
    },
  },
  pickClips: {
    body: {
      dataset: 'samples',
      minutes: 0.2,
    },
    reply: {
      clips: ['idle_sway', 'walk_forward'],
      minutes: 0.223,
      unscored: 0,
    },
  },
  markClips: {
    body: {
      dataset: 'samples',
      clips: ['walk_forward'],
      weight: 2,
      tags: ['gait'],
    },
    reply: {
      ok: true,
      clips: 1,
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
        by: null,
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
  editClip: {
    body: {
      dataset: 'samples',
      clip: 'walk_forward',
      steps: [{ trim: { from_s: 1, to_s: 5 } }, { mirror: true }, { origin: true }],
      name: 'walk_mirrored',
    },
    reply: {
      ok: true,
      task: 'edit-1',
      busy: {
        task: 'edit-1',
        label: 'Editing walk_forward',
        state: 'done',
        progress: 1,
        message: '',
        error: null,
        by: null,
        started: '2026-05-04T16:41:12.822Z',
        ended: '2026-05-04T16:41:13.064Z',
        result: { clips: ['walk_mirrored'] },
      },
    },
  },
  renameData: {
    body: {
      dataset: 'walks',
      clip: 'walk_01',
      name: 'walk_slow',
    },
    reply: {
      ok: true,
      undo: 'mp9x2c1k-4f0a6d1be2c3',
    },
  },
  generateClips: {
    body: {
      dataset: 'basics',
    },
    reply: {
      ok: true,
      task: 'generate-1',
      busy: {
        task: 'generate-1',
        label: 'Generating basics',
        state: 'done',
        progress: 1,
        message: 'computing',
        error: null,
        by: null,
        started: '2026-05-04T16:41:12.822Z',
        ended: '2026-05-04T16:41:14.064Z',
        result: { dataset: 'basics', clips: ['stand', 'sway', 'squat', 'step', 'turn'] },
      },
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
      read: { quaternion: 'wxyz' },
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
      undo: null,
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
      undo: 'mp9x2c1k-4f0a6d1be2c3',
    },
  },
  deleteClip: {
    params: {
      dataset: 'walks',
      clip: 'walk_01',
    },
    reply: {
      ok: true,
      undo: 'mp9x2c1k-4f0a6d1be2c3',
    },
  },
};
