import type * as robots from '../../../protocol/routes/robots.ts';
import type { Examples } from './route-example.ts';

export const robotsExamples: Examples<typeof robots> = {
  listRobots: {
    reply: {
      robots: [
        {
          id: 'humanoid',
          name: 'humanoid',
          source: 'builtin',
          selected: true,
          model: {
            bodies: 24,
            joints: 21,
            actuators: 21,
            mass: 35,
            height: 1.3125,
          },
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
              scan: null,
              error: null,
            },
          ],
          runs: [],
          tasks: ['Wbc-Humanoid', 'Wbc-Humanoid-SE', 'Wbc-Humanoid-Zest'],
          error: null,
        },
      ],
      selected: 'humanoid',
    },
  },
  getSelectedRobot: {
    reply: {
      id: 'humanoid',
      name: 'humanoid',
      source: 'builtin',
      joints: [
        {
          name: 'left_hip_pitch_joint',
          index: 0,
          type: 'hinge',
          lower: -2.2,
          upper: 1,
          default: -0.15,
          value: -0.15,
          effort_limit: 120,
          velocity_limit: 20,
          stiffness: 118.4353,
          damping: 7.5398,
          unit: 'rad',
        },
      ],
      wiring: {
        anchor: 'torso_link',
        keybodies: ['pelvis', 'left_hip_roll_link', 'left_knee_link'],
        feet: ['left_ankle_roll_link', 'right_ankle_roll_link'],
      },
      tasks: ['Wbc-Humanoid', 'Wbc-Humanoid-SE', 'Wbc-Humanoid-Zest'],
      options: {
        show_wiring: false,
      },
      model_version: 1795365662,
      root: [0, 0, 0.6805, 1, 0, 0, 0],
    },
  },
  selectRobot: {
    body: {
      name: 'humanoid',
    },
    reply: {
      ok: true,
      task: 'select-1',
      busy: {
        task: 'select-1',
        label: 'Selecting humanoid',
        state: 'done',
        progress: 1,
        message: '',
        error: null,
        by: null,
        started: '2026-05-04T16:41:12.119Z',
        ended: '2026-05-04T16:41:12.147Z',
        result: null,
      },
    },
  },
  poseJoint: {
    body: {
      name: 'left_knee_joint',
      value: 0.8,
    },
    reply: {
      ok: true,
      value: 0.8,
    },
  },
  resetJoints: {
    body: {
      zero: false,
    },
    reply: {
      ok: true,
    },
  },
  showRobot: {
    body: {},
    reply: {
      ok: true,
    },
  },
  setRobotOptions: {
    body: {
      show_wiring: true,
    },
    reply: {
      ok: true,
      options: {
        show_wiring: true,
      },
    },
  },
  getSceneModel: {
    reply: {
      version: 1795365662,
      robot: 'humanoid',
      bodies: [
        {
          name: 'pelvis',
          parent: -1,
          fixed: false,
        },
      ],
      geoms: [
        {
          name: '',
          body: 0,
          type: 'mesh',
          pos: [0.0001, 0, 0.0016],
          quat: [1, 0, 0, 0],
          size: [0.0778, 0.082, 0.1078],
          rgba: [0.169, 0.184, 0.212, 1],
          group: 2,
          mesh: 0,
          collision: false,
          texture: null,
        },
      ],
      meshes: [
        {
          name: 'pelvis',
          vert: [0, 758],
          face: [0, 1512],
          uv: null,
        },
      ],
      bin: {
        bytes: 558972,
        nv: 11712,
        nf: 23156,
      },
    },
  },
  getSceneModelBin: {},
  getRobotTexture: {
    params: {
      name: 'shell',
    },
  },
  getTerrainBin: {},
  getRobotSpec: {
    params: {
      id: 'scout',
    },
    reply: {
      id: 'scout',
      spec: {
        version: 1,
        id: 'scout',
        name: 'scout',
        model: 'scout.xml',
        wiring: {
          anchor: 'trunk',
          keybodies: ['trunk', 'left_foot', 'right_foot'],
          feet: ['left_foot', 'right_foot'],
        },
        root_height: 0.62,
        end_effectors: ['left_foot', 'right_foot'],
        foot_sole_z: 0.02,
        contacts: {
          self_collision: true,
          feet: {
            condim: 3,
            friction: 0.6,
            priority: 1,
          },
        },
        joints: {
          left_hip_joint: {
            default: 0,
            stiffness: 38.6888,
            damping: 2.463,
            armature: 0.0098,
            effort_limit: 49,
            action_scale: 0.3166,
          },
        },
      },
      yaml: 'version: 1\nid: scout\nname: scout\nmodel: scout.xml\n',
    },
  },
  deleteRobot: {
    params: {
      id: 'scout',
    },
    reply: {
      ok: true,
      undo: 'mp9x2c1k-4f0a6d1be2c3',
    },
  },
};
