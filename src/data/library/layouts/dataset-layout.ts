import type { QuaternionOrder, ReadOptions } from '../../../protocol/schemas/reading.ts';

/** What a layout is read for. Sent between threads. */
export interface LayoutRobot {
  /** joints of the robot in column order */
  readonly jointNames: readonly string[];
  /** m, of the root above the floor in the default pose */
  readonly rootHeight: number;
}

/** What all layouts have in common. */
interface AnyLayout {
  /** what was recognised, for people: `LeRobot v3.0 dataset` */
  readonly title: string;
  /** sentences on what was assumed because the files do not state it */
  readonly assumed: readonly string[];
  /** clips that are left out, with the reason */
  readonly leftOut: readonly string[];
}

/** A file of a layout that becomes a clip as it is. */
export interface ClipCopy {
  readonly from: string;
  /** path relative to the new dataset */
  readonly to: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** A dataset yaml that lists clip files with weights. */
export interface Twist2Layout extends AnyLayout {
  readonly kind: 'twist2';
  readonly copies: readonly ClipCopy[];
  /** overrides of what the files state, kept in the new dataset */
  readonly read: ReadOptions;
  /** weight of each clip that is not 1 */
  readonly weights: Readonly<Record<string, number>>;
}

/** How the tables of a clip are read. */
export interface SonicReading {
  /** length unit of `body_pos.csv`, in metres */
  readonly metres: number;
  readonly quaternion: QuaternionOrder;
  /** joints in the order of the columns of `joint_pos.csv`; null: as each clip states */
  readonly jointOrder: readonly string[] | null;
  /** frames per second, whatever the clips state; null: as each clip states */
  readonly fps: number | null;
}

/** Folders of CSV tables, one per clip. */
export interface SonicLayout extends AnyLayout {
  readonly kind: 'sonic';
  /** frames per second of all clips */
  readonly fps: number;
  readonly reading: SonicReading;
  readonly clips: readonly { readonly name: string; readonly folder: string; readonly bytes: number }[];
}

/** Some values of a feature: `indices` into the list that each row holds. */
export interface FeatureColumns {
  readonly feature: string;
  readonly indices: readonly number[];
}

/** Where the motion lies in the rows of a LeRobot dataset. */
export interface LeRobotReading {
  /** joints of the robot in column order, rad or m */
  readonly joints: FeatureColumns;
  /** x y z of the root; null: not recorded */
  readonly position: FeatureColumns | null;
  /** x y z w of the root's quaternion; null: not recorded */
  readonly quaternion: FeatureColumns | null;
  /** m, height of a root whose position is not recorded */
  readonly rootHeight: number;
  /** length unit of `position`, in metres */
  readonly metres: number;
}

/** Episodes in Parquet files. */
export interface LeRobotLayout extends AnyLayout {
  readonly kind: 'lerobot';
  readonly fps: number;
  readonly reading: LeRobotReading;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

export type DatasetLayout = Twist2Layout | SonicLayout | LeRobotLayout;
