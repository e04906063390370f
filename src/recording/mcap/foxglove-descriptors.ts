import { foxgloveMessageSchemas } from '@foxglove/schemas/dist/internal/schemas.js';
import type { FoxgloveMessageField, FoxgloveMessageSchema } from '@foxglove/schemas/dist/internal/types.js';
import { MessageWriter } from '../../formats/protobuf/write-message.ts';

/** Numbers of `FieldDescriptorProto.Type` (google/protobuf/descriptor.proto). */
const TYPE = {
  float64: 1,
  int64: 3,
  int32: 15, // Foxglove's int32 and uint32 are sfixed32 and fixed32 in protobuf
  uint32: 7,
  varint32: 5,
  boolean: 8,
  string: 9,
  message: 11,
  bytes: 12,
  enum: 14,
} as const;
const LABEL = { optional: 1, repeated: 3 } as const;

export type FoxgloveName = 'FrameTransforms' | 'SceneUpdate' | 'Log';

/** Returns the `FileDescriptorSet` of a Foxglove message and of all messages that it contains: the schema data of an
 *  MCAP channel with protobuf messages. Derived from Foxglove's own definitions, so that names and numbers are
 *  exact. */
export function foxgloveDescriptors(name: FoxgloveName): Uint8Array {
  const files = new Map<string, MessageWriter>();
  addFile(files, foxgloveMessageSchemas[name]);
  const set = new MessageWriter();
  for (const file of files.values()) set.bytes(1, file);
  return set.done();
}

/** Adds the file of a message, after the files that it imports. */
function addFile(files: Map<string, MessageWriter>, schema: FoxgloveMessageSchema): void {
  const path = fileOf(schema);
  if (files.has(path)) return;
  const file = new MessageWriter();
  const nested = schema.protoEquivalent === undefined ? schema.fields.flatMap(messageOfField) : [];
  for (const inner of nested) addFile(files, inner);
  files.set(path, file);
  file.bytes(1, path).bytes(2, schema.protoEquivalent === undefined ? 'foxglove' : 'google.protobuf');
  for (const dependency of new Set(nested.map(fileOf))) file.bytes(3, dependency);
  file.bytes(4, schema.protoEquivalent === undefined ? messageDescriptor(schema) : timeDescriptor(schema));
  file.bytes(12, 'proto3');
}

function messageOfField({ type }: FoxgloveMessageField): FoxgloveMessageSchema[] {
  return type.type === 'nested' ? [type.schema] : [];
}

function fileOf({ name, protoEquivalent }: FoxgloveMessageSchema): string {
  return protoEquivalent === undefined
    ? `foxglove/${name}.proto`
    : `${protoEquivalent.replaceAll('.', '/').toLowerCase()}.proto`;
}

function messageDescriptor(schema: FoxgloveMessageSchema): MessageWriter {
  const descriptor = new MessageWriter().bytes(1, schema.name);
  const taken = new Set(schema.fields.flatMap(({ protobufFieldNumber: number }) => number ?? []));
  let next = 1;
  for (const field of schema.fields) {
    while (taken.has(next)) next += 1;
    descriptor.bytes(2, fieldDescriptor(schema, field, field.protobufFieldNumber ?? next++));
  }
  for (const { type } of schema.fields) {
    if (type.type !== 'enum') continue;
    const values = new MessageWriter().bytes(1, type.enum.protobufEnumName);
    for (const { name, value } of type.enum.values) values.bytes(2, new MessageWriter().bytes(1, name).int(2, value));
    descriptor.bytes(4, values);
  }
  return descriptor;
}

function fieldDescriptor(schema: FoxgloveMessageSchema, field: FoxgloveMessageField, number: number): MessageWriter {
  const { name, type, array } = field;
  const writer = new MessageWriter()
    .bytes(1, name)
    .int(3, number)
    .int(4, array === undefined ? LABEL.optional : LABEL.repeated);
  if (type.type === 'primitive') return writer.int(5, TYPE[type.name]);
  if (type.type === 'enum')
    return writer.int(5, TYPE.enum).bytes(6, `.foxglove.${schema.name}.${type.enum.protobufEnumName}`);
  return writer.int(5, TYPE.message).bytes(6, `.${type.schema.protoEquivalent ?? `foxglove.${type.schema.name}`}`);
}

/** Describes google.protobuf.Timestamp or google.protobuf.Duration, which have the same fields. */
function timeDescriptor({ protoEquivalent }: FoxgloveMessageSchema): MessageWriter {
  const field = (name: string, number: number, type: number) =>
    new MessageWriter().bytes(1, name).int(3, number).int(4, LABEL.optional).int(5, type);
  return new MessageWriter()
    .bytes(1, protoEquivalent!.split('.').at(-1)!)
    .bytes(2, field('seconds', 1, TYPE.int64))
    .bytes(2, field('nanos', 2, TYPE.varint32));
}
