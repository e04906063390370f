import { expect, test } from 'vitest';
import { captureName, captureSize, mediaType } from '../../../web/src/viewport/capture/capture-formats.ts';

const shown = { width: 801, height: 601, ratio: 2 };

test('sizes are even and within the size limit of files', () => {
  expect(captureSize('shown', 'picture', shown)).toEqual({ width: 1602, height: 1202 });
  expect(captureSize('shown', 'gif', shown)).toEqual({ width: 640, height: 480 });
  expect(captureSize('3840', 'video', shown)).toEqual({ width: 1920, height: 1080 });
  expect(captureSize('3840', 'picture', shown)).toEqual({ width: 3840, height: 2160 });
});

test('the first codec that the browser supports is used; without one the format is not offered', () => {
  expect(mediaType('webm', (type) => type.includes('vp8'))).toBe('video/webm;codecs=vp8');
  expect(mediaType('mp4', (type) => type.includes('webm'))).toBeNull();
});

test('a file is named after the robot and the time, without characters that file systems refuse', () => {
  expect(captureName('my robot/2', 'png', new Date(2026, 0, 31, 4, 27, 5))).toBe('my-robot-2-20260131-042705.png');
});
