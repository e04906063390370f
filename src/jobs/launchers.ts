import { Type } from 'typebox';
import { refuseNames, settingsSection } from '../core/settings.ts';
import { problemOf } from '../core/validation.ts';
import { oneOf, strictBody } from '../protocol/route.ts';
import type { Launcher, LauncherKind } from './detached/launcher.ts';
import { LocalLauncher } from './detached/local-launcher.ts';
import { SLURM } from './slurm/slurm-launcher.ts';

/** Kinds of launchers that `studio.yaml` can define, besides the built-in launcher of this machine. */
const LAUNCHERS: readonly AnyLauncherKind[] = [SLURM];

/** Name and kind of the launcher that always exists. */
const LOCAL = 'local';

// biome-ignore lint/suspicious/noExplicitAny: kinds of different settings in one list; each keeps its own types
type AnyLauncherKind = LauncherKind<any>;

/** A launcher as `studio.yaml` describes it. */
export interface LauncherSettings extends Readonly<Record<string, unknown>> {
  readonly kind: string;
}

/** Makes the section `launchers`: other launchers besides `local`, by name. @param kinds kinds that can be defined */
export function launchersSettings(kinds: readonly AnyLauncherKind[] = LAUNCHERS) {
  const kindSchema = oneOf(kinds.map(({ kind }) => kind));
  // Allow the keys of all kinds here, so that a misspelt `kind` is reported first. `refine` reports the keys that do
  // not belong to the given kind.
  const keys = kinds.flatMap(({ settings }) => Object.keys(settings));
  const anyKind = strictBody({
    kind: kindSchema,
    ...Object.fromEntries(keys.map((key) => [key, Type.Optional(Type.Unknown())])),
  });
  return settingsSection({
    schema: Type.Record(Type.String(), anyKind),
    read: (given): Readonly<Record<string, LauncherSettings>> => given ?? {},
    refine(given, problemAt) {
      refuseNames(Object.keys(given), LOCAL, problemAt);
      for (const [name, settings] of Object.entries(given)) {
        const kind = kindOf(settings, kinds);
        const schema = strictBody({ kind: kindSchema, ...kind.settings });
        const problem = problemOf(schema, settings) ?? kind.problem?.(settings) ?? null;
        if (problem) throw problemAt([name, ...problem.path], problem.text);
      }
    },
  });
}

/** Creates the launchers of a service, by name; `local` comes first. @param localLimit maximum number of processes at
 *  the same time on this machine @param environment environment of every job, without the service's secrets */
export function createLaunchers(
  { localLimit, launchers, environment }: LaunchersOptions,
  kinds: readonly AnyLauncherKind[] = LAUNCHERS,
): ReadonlyMap<string, Launcher> {
  const others = Object.entries(launchers).map(([name, settings]): [string, Launcher] => [
    name,
    kindOf(settings, kinds).create({ ...settings }, environment),
  ]);
  return new Map([[LOCAL, new LocalLauncher(localLimit, environment)], ...others]);
}

/** Returns the display name and the required programs of a kind of launcher. */
export function neededPrograms(kind: string): Pick<AnyLauncherKind, 'label' | 'programs'> {
  return kindOf({ kind }, LAUNCHERS);
}

interface LaunchersOptions {
  readonly localLimit: number;
  readonly launchers: Readonly<Record<string, LauncherSettings>>;
  readonly environment: Readonly<Record<string, string>>;
}

function kindOf({ kind }: LauncherSettings, kinds: readonly AnyLauncherKind[]): AnyLauncherKind {
  const found = kinds.find((known) => known.kind === kind);
  if (!found) throw new RangeError(`${JSON.stringify(kind)} is not a kind of launcher`);
  return found;
}
