import { BaseSequencer } from 'vitest/node';

export declare class LongestFirst extends BaseSequencer {}
