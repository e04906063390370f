import type * as service from '../../../protocol/routes/service.ts';
import type { Examples } from './route-example.ts';

export const serviceExamples: Examples<typeof service> = {
  getPage: {},
  getHealth: {
    reply: {
      ok: true,
      version: '0.1.0',
      uptime_s: 0.482,
    },
  },
  getMetrics: {},
  listClients: {
    reply: {
      clients: [
        { id: 'q3VvkD2m', role: 'control', since: '2026-05-04T16:40:12.004Z', rate: 60, skipped: 0, you: true },
        { id: 'Zt80hYcA', role: 'view', since: '2026-05-04T16:52:47.319Z', rate: 30.1, skipped: 212, you: false },
      ],
    },
  },
  listBusyTasks: {
    reply: {
      active: [],
      recent: [
        {
          task: 'play-1',
          label: 'Building a session of 2026-11-22_16-41-10_first',
          state: 'done',
          progress: 1,
          message: '',
          error: null,
          by: null,
          started: '2026-05-04T16:41:39.182Z',
          ended: '2026-05-04T16:41:39.867Z',
          result: null,
        },
      ],
    },
  },
  getLog: {
    query: {
      tail: 2,
    },
    reply: {
      lines: [
        {
          seq: 12,
          time: '2026-05-04T09:30:02.114Z',
          level: 'info',
          source: 'robots',
          message: 'robot humanoid selected',
        },
      ],
    },
  },
  getOpenApi: {},
  getDocs: {},
  getGuides: {},
  openWebsocket: {},
};
