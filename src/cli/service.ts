import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { openWorkspace } from '../app/workspace.ts';
import { isWorkspaceProblem, workspaceProblem } from '../app/workspace-problem.ts';
import { StudioError } from '../core/errors.ts';
import { countText, spanText } from '../core/log/format-numbers.ts';
import type { RootLogger } from '../core/logger.ts';
import { readSettings } from '../core/settings.ts';
import type { Gateway } from '../gateway/start-gateway.ts';
import { HUMANOID_ID } from '../robots/humanoid/humanoid.ts';
import { builtinClips } from './builtin-clips.ts';
import { environmentOfPrograms, stateFolder } from './environment.ts';
import { loadApp, loadContext } from './load-app.ts';
import type { StartOptions } from './options.ts';
import { UsageError } from './parse-flags.ts';
import { SETTINGS_SECTIONS } from './settings.ts';

/** Folder of the built page; the path is the same from the build and from the sources. */
const PAGE = fileURLToPath(new URL('../../dist/web/', import.meta.url));
/** Folder of the built documentation. */
const DOCS = fileURLToPath(new URL('../../dist/docs/', import.meta.url));

/** Runs the service from start to stop. */
export class Service {
  readonly #options: StartOptions;
  readonly #version: string;
  readonly #logger: RootLogger;
  /** functions that stop the started parts, in the order of the starts; called in reverse order */
  readonly #stops: (() => void | Promise<void>)[] = [];
  #stopped = false;

  constructor(options: StartOptions, version: string, logger: RootLogger) {
    this.#options = options;
    this.#version = version;
    this.#logger = logger;
  }

  /** Starts the service. @returns its address, or null if it was stopped meanwhile
   *  @throws UsageError, StudioError for problems that a person can act on */
  async start(): Promise<string | null> {
    try {
      return await this.#start();
    } catch (error) {
      const { workspace } = this.#options;
      throw isWorkspaceProblem(workspace, error) ? workspaceProblem(workspace, error) : error;
    }
  }

  async #start(): Promise<string | null> {
    const { host, token, viewToken, tokenForAll, allowedHosts } = this.#options;
    const logger = this.#logger;
    const began = performance.now();
    logger.info(
      `motion-studio ${this.#version} starts on Node ${process.versions.node} (${process.platform} ${process.arch}), process ${process.pid}, workspace ${this.#options.workspace}`,
    );
    checkPage(logger);
    const settings = await this.#readSettings();
    const workspace = await openWorkspace(this.#options.workspace, logger);
    if (!(await this.#keep(() => workspace.close()))) return null;
    await workspace.writeSamples(path.join(HUMANOID_ID, 'samples'), builtinClips);
    const { createContext } = await loadContext();
    // The threads start now, while the rest of the code is loaded.
    const context = createContext({
      places: workspace,
      streamFps: settings.stream.fps,
      poolThreads: settings.pool.threads,
      trashDays: settings.trash.days,
      logger,
    });
    if (!(await this.#keep(() => context.close()))) return null;
    const { createApp, startGateway } = await loadApp();
    const studio = await createApp(context, {
      qa: settings.qa,
      play: { maxEnvs: settings.play.maxEnvs, threads: settings.sim.threads },
      training: {
        localLimit: settings.jobs.localLimit,
        maxMinutes: settings.train.maxMinutes,
        trainers: settings.trainers,
        launchers: settings.launchers,
        environment: environmentOfPrograms(process.env),
        stateFolder: stateFolder(process.env),
      },
      version: this.#version,
    });
    if (!(await this.#keep(() => studio.close()))) return null;
    const gateway: Gateway = await startGateway({
      app: studio,
      host,
      port: this.#options.port,
      token,
      viewToken,
      tokenForAll,
      allowedHosts,
      limits: settings.limits,
      stream: settings.stream,
      transport: this.#options.transport,
      page: PAGE,
      docs: DOCS,
      version: this.#version,
      logger: logger.child('gateway'),
      unavailable: () => workspace.problem(),
    });
    if (!(await this.#keep(() => gateway.close()))) return null;
    if (token === null && !isLoopback(host)) {
      logger.warn(
        `listening on ${host} without a token: everyone who reaches this port can use the service (see --token)`,
      );
    }
    const asks = token === null ? 'no token is set' : 'a token is set';
    const threads = countText(settings.pool.threads || availableParallelism(), 'thread');
    const took = spanText((performance.now() - began) / 1e3);
    logger.info(`Listening on ${gateway.url} after ${took}: ${asks}, ${threads} for work on files`);
    if (this.#options.open) this.#openPage(gateway.port);
    return gateway.url;
  }

  /** Stops all started parts, the listener first. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (let stop = this.#stops.pop(); stop; stop = this.#stops.pop()) await stop();
  }

  /** Registers `stop` for a started part. @returns false if the service was stopped meanwhile; `stop` has then run */
  async #keep(stop: () => void | Promise<void>): Promise<boolean> {
    if (this.#stopped) {
      await stop();
      return false;
    }
    this.#stops.push(stop);
    return true;
  }

  async #readSettings() {
    const { config, workspace } = this.#options;
    try {
      if (config !== null) return await readSettings(SETTINGS_SECTIONS, config, path.basename(config), true);
      return await readSettings(SETTINGS_SECTIONS, path.join(workspace, 'studio.yaml'), 'studio.yaml', false);
    } catch (error) {
      if (config === null || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new UsageError(`--config: the file ${config} does not exist. Create it or leave the option out.`);
    }
  }

  #openPage(port: number): void {
    const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
    const child = spawn(program, [`http://localhost:${port}/`], {
      env: environmentOfPrograms(process.env),
      stdio: 'ignore',
      detached: true,
    });
    child.on('error', (error) => this.#logger.warn(`the page could not be opened: ${error.message}`));
    child.unref();
  }
}

/** Checks that the page is built. From the sources it may be missing, because `npm run dev` builds it later.
 *  @throws unavailable in a build */
function checkPage(logger: RootLogger): void {
  const index = path.join(PAGE, 'index.html');
  if (existsSync(index)) return;
  const problem = `the page is not built: ${index} is missing. Run npm run build, or install motion-studio again.`;
  if (!import.meta.url.endsWith('.ts')) throw new StudioError('unavailable', problem);
  logger.warn(problem);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
