import { named } from '../term-names.ts';
import { assistiveWrench } from './assistive-wrench.ts';
import type { EventTerm } from './event-term.ts';
import { bodyComOffset, encoderBias, footFriction } from './model-variation.ts';
import { velocityPush } from './velocity-push.ts';
import { externalWrench } from './wrenches.ts';

/** Every event, by the function name of the original project (upstream) and by the names that tasks use. */
export const EVENTS: Readonly<Record<string, EventTerm>> = named(
  {
    push_by_setting_velocity: velocityPush,
    apply_external_force_torque: externalWrench,
    body_com_offset: bodyComOffset,
    geom_friction: footFriction,
    encoder_bias: encoderBias,
    assistive_wrench: assistiveWrench,
  },
  {
    push_robot: 'push_by_setting_velocity',
    pull_robot: 'apply_external_force_torque',
    base_com: 'body_com_offset',
    foot_friction: 'geom_friction',
  },
);
