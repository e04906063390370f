import type * as robotImport from '../../../protocol/routes/robot-import.ts';
import type { Examples } from './route-example.ts';

export const robotImportExamples: Examples<typeof robotImport> = {
  getImportState: {
    reply: {
      folder: '/srv/motion-studio/robots',
      robots: [],
      unfinished: [
        {
          id: 'scout',
          files: 2,
          bytes: 1391,
          modified: '2026-05-04T16:41:41.961Z',
        },
      ],
      draft: {
        id: 'scout',
        model: 'scout.xml',
      },
    },
  },
  uploadModelFile: {
    params: {
      id: 'scout',
      path: 'meshes/body.stl',
    },
    reply: {
      ok: true,
      path: 'meshes/body.stl',
      bytes: 1684,
    },
  },
  deleteUpload: {
    params: {
      id: 'scout',
    },
    reply: {
      ok: true,
    },
  },
  copyModelFolder: {
    body: {
      id: 'scout',
      source: '/home/ann/scout',
    },
    reply: {
      ok: true,
      id: 'scout',
      files: 1,
      bytes: 1390,
    },
  },
  listModelFiles: {
    query: {
      id: 'scout',
    },
    reply: {
      id: 'scout',
      files: [
        {
          path: 'scout.xml',
          bytes: 1390,
          kind: 'mjcf',
          main: true,
        },
      ],
    },
  },
  inspectModel: {
    body: {
      id: 'scout',
      model: 'scout.xml',
    },
    reply: {
      ok: true,
      id: 'scout',
      model: 'scout.xml',
      format: 'mjcf',
      bodies: [
        {
          name: 'trunk',
          parent: null,
          mass: 10,
        },
      ],
      joints: [
        {
          name: 'left_hip_joint',
          index: 0,
          type: 'hinge',
          lower: -1,
          upper: 1,
          default: 0,
          value: 0,
          effort_limit: 49,
          velocity_limit: null,
          stiffness: 38.6888,
          damping: 2.463,
          unit: 'rad',
        },
      ],
      wiring: {
        anchor: 'trunk',
        keybodies: ['trunk', 'left_foot', 'right_foot'],
        feet: ['left_foot', 'right_foot'],
      },
      gains: {
        left_hip_joint: {
          stiffness: 38.6888,
          damping: 2.463,
          armature: 0.0098,
          effort_limit: 49,
          source:
            "armature assumed, 0.0002 kg·m² per Nm of effort, at 10 Hz and damping ratio 2; effort assumed, from the robot's weight and height",
        },
      },
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
      reasons: {
        anchor: 'trunk: its name says trunk, 63 % of the mass, it is the root',
        keybodies:
          'root and anchor, and of each of 2 legs and 0 arms the second body, the middle joint (knee, elbow) and the end',
        feet: 'ends of the chains that reach within 3.1 cm of the lowest point in the default pose, left first',
        pose: 'all joints at zero',
        contacts: '5 shapes collide; no two bodies overlap in the default pose; friction of the soles 0.6',
      },
      warnings: [
        '1 geom of the world removed, because the scene has its own floor and light',
        'effort limits: the model does not state them for any joint; they are estimated from masses and lengths. Replace them by the limits of the motors',
      ],
    },
  },
  previewDraft: {
    body: {
      wiring: {
        anchor: 'trunk',
        keybodies: ['trunk', 'left_foot', 'right_foot'],
        feet: ['left_foot', 'right_foot'],
      },
    },
    reply: {
      ok: true,
    },
  },
  loadGains: {
    body: {
      id: 'scout',
      file: 'params/deploy.yaml',
    },
    reply: {
      ok: true,
      gains: {
        left_hip_joint: {
          stiffness: 100,
          damping: 2,
          armature: 0.0098,
          effort_limit: 49,
          action_scale: 0.1225,
          source: 'stiffness, damping of deploy.yaml',
          stated: ['stiffness', 'damping'],
        },
      },
      joints_unmatched: ['head_joint'],
      notes: [],
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
        joints: {
          left_hip_joint: {
            default: 0,
            stiffness: 100,
            damping: 2,
            armature: 0.0098,
            effort_limit: 49,
            action_scale: 0.1225,
          },
        },
      },
    },
  },
  checkDraft: {
    body: {
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
    },
    reply: {
      ok: true,
      checks: [
        {
          name: 'compiles',
          ok: true,
          text: 'in 0.1 s: 5 bodies, 4 actuators, 6 shapes, 1 meshes',
        },
        {
          name: 'mass',
          ok: true,
          text: '16 kg in 5 moving parts, the lightest 1 kg',
        },
      ],
    },
  },
  saveRobot: {
    body: {
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
    },
    reply: {
      ok: true,
      undo: null,
      id: 'scout',
      task: 'Wbc-Scout',
    },
  },
  cancelImport: {
    body: {},
    reply: {
      ok: true,
    },
  },
};
