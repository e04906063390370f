import type { QuaternionOrder, ReadOptions } from '../../../protocol/schemas/reading.ts';

/** The robot for which a layout is read. Sent between threads. */
export interface LayoutRobot {
  /** joints of the robot in column order */
  readonly jointNames: readonly string[];
  /** height of the root above the floor in the default pose, m */
  readonly rootHeight: number;
}

/** Fields common to all layouts. */
interface AnyLayout {
  /** name of the detected layout, shown to users: `LeRobot v3.0 dataset` */
  readonly title: string;
  /** sentences about assumptions, made because the files do not state these properties */
  readonly assumed: readonly string[];
  /** the skipped clips, with the reasons */
  readonly leftOut: readonly string[];
}

/** A clip file of a layout that is copied without changes. */
export interface ClipCopy {
  readonly from: string;
  /** path relative to the new dataset */
  readonly to: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** The layout of TWIST2: a YAML file with a list of clip files and their weights. */
export interface Twist2Layout extends AnyLayout {
  readonly kind: 'twist2';
  readonly copies: readonly ClipCopy[];
  /** read options for the new dataset, which override what the files state */
  readonly read: ReadOptions;
  /** weights of the clips by name, without weights of 1 */
  readonly weights: Readonly<Record<string, number>>;
}

/** Options for reading the tables of a SONIC clip. */
export interface SonicReading {
  /** length unit of `body_pos.csv` in metres */
  readonly metres: number;
  readonly quaternion: QuaternionOrder;
  /** joints in the order of the columns of `joint_pos.csv`; null: use the order that each clip states */
  readonly jointOrder: readonly string[] | null;
  /** frames per second, which overrides the rate of the clips; null: use the rate that each clip states */
  readonly fps: number | null;
}

/** The layout of SONIC: one folder of CSV tables per clip. */
export interface SonicLayout extends AnyLayout {
  readonly kind: 'sonic';
  /** frame rate common to all clips, Hz */
  readonly fps: number;
  readonly reading: SonicReading;
  readonly clips: readonly { readonly name: string; readonly folder: string; readonly bytes: number }[];
}

/** Selected values of a feature. Each row stores the feature as a list; `indices` are positions in this list. */
export interface FeatureColumns {
  readonly feature: string;
  readonly indices: readonly number[];
}

/** The columns of a LeRobot dataset that contain the motion. */
export interface LeRobotReading {
  /** joints of the robot in column order, rad or m */
  readonly joints: FeatureColumns;
  /** x y z of the root; null if the dataset does not record the position */
  readonly position: FeatureColumns | null;
  /** quaternion of the root, x y z w; null if the dataset does not record the orientation */
  readonly quaternion: FeatureColumns | null;
  /** height of the root, m, used if the position is not recorded */
  readonly rootHeight: number;
  /** length unit of `position` in metres */
  readonly metres: number;
}

/** The layout of LeRobot: episodes in Parquet files. */
export interface LeRobotLayout extends AnyLayout {
  readonly kind: 'lerobot';
  readonly fps: number;
  readonly reading: LeRobotReading;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

export type DatasetLayout = Twist2Layout | SonicLayout | LeRobotLayout;
