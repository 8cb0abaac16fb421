// SPDX-License-Identifier: MIT
// Writes GGUF bytes for tests, right or deliberately wrong, straight from the format's definition.

export const Type = { u8: 0, i8: 1, u16: 2, i16: 3, u32: 4, i32: 5, f32: 6, bool: 7 };
Object.assign(Type, { string: 8, array: 9, u64: 10, i64: 11, f64: 12 });

export function bytesOf(...parts) {
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));
}

const number = (size, write) => {
  const bytes = new Uint8Array(size);
  write(new DataView(bytes.buffer));
  return bytes;
};
export const u32 = (value) => number(4, (view) => view.setUint32(0, value, true));
export const u64 = (value) => number(8, (view) => view.setBigUint64(0, BigInt(value), true));

export function string(text) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return bytesOf(u64(bytes.length), bytes);
}

const SCALARS = {
  [Type.u8]: (v) => Uint8Array.of(v),
  [Type.i8]: (v) => Uint8Array.of(v & 255),
  [Type.u16]: (v) => number(2, (view) => view.setUint16(0, v, true)),
  [Type.i16]: (v) => number(2, (view) => view.setInt16(0, v, true)),
  [Type.u32]: u32,
  [Type.i32]: (v) => number(4, (view) => view.setInt32(0, v, true)),
  [Type.f32]: (v) => number(4, (view) => view.setFloat32(0, v, true)),
  [Type.bool]: (v) => Uint8Array.of(Number(v)),
  [Type.string]: string,
  [Type.u64]: u64,
  [Type.i64]: (v) => number(8, (view) => view.setBigInt64(0, BigInt(v), true)),
  [Type.f64]: (v) => number(8, (view) => view.setFloat64(0, v, true)),
};

/** `value` is an array of [elementType, elements] for arrays. */
export function value(type, given) {
  if (type !== Type.array) return SCALARS[type](given);
  const [elementType, elements] = given;
  return bytesOf(
    u32(elementType),
    u64(elements.length),
    ...elements.map((v) => value(elementType, v)),
  );
}

export const key = (name, type, given) => bytesOf(string(name), u32(type), value(type, given));

export const tensor = (name, shape, type, offset) =>
  bytesOf(string(name), u32(shape.length), ...shape.map(u64), u32(type), u64(offset));

/** `keys` and `tensors` are already encoded; `data` follows at the next multiple of `alignment`. */
export function gguf({ keys = [], tensors = [], data = [], alignment = 32, version = 3 }) {
  const head = bytesOf(
    'GGUF',
    u32(version),
    u64(tensors.length),
    u64(keys.length),
    ...keys,
    ...tensors,
  );
  const padding = new Uint8Array((alignment - (head.length % alignment)) % alignment);
  return bytesOf(head, padding, data);
}

/** A small sound model: every value type, three tensors, bytes that count up. */
export function smallModel() {
  const data = Uint8Array.from({ length: 192 }, (_, i) => i);
  return gguf({
    keys: [
      key('general.architecture', Type.string, 'qwen35'),
      key('a.u8', Type.u8, 200),
      key('a.i8', Type.i8, -5),
      key('a.u16', Type.u16, 60000),
      key('a.i16', Type.i16, -300),
      key('a.u32', Type.u32, 4e9),
      key('a.i32', Type.i32, -7),
      key('a.f32', Type.f32, 0.5),
      key('a.bool', Type.bool, true),
      key('a.u64', Type.u64, 2n ** 60n),
      key('a.i64', Type.i64, -9),
      key('a.f64', Type.f64, Math.PI),
      key('a.texts', Type.array, [Type.string, ['', 'é', '\ufeffx', '😀', 'plain']]),
      key('a.nested', Type.array, [
        Type.array,
        [
          [Type.i32, [1, -2]],
          [Type.bool, [false]],
        ],
      ]),
    ],
    tensors: [
      tensor('first', [8, 2], 0, 0),
      tensor('second', [32], 8, 64),
      tensor('third', [4, 2, 1, 1], 1, 128),
    ],
    data,
  });
}

/** A byte source over `bytes` that hands out `chunk` bytes at a time. */
export function sourceOf(bytes, { chunk = Infinity, sizeKnown = true } = {}) {
  let position = 0;
  return {
    name: 'test',
    size: sizeKnown ? bytes.length : undefined,
    get position() {
      return position;
    },
    async read() {
      if (position >= bytes.length) return undefined;
      const piece = bytes.subarray(position, Math.min(bytes.length, position + chunk));
      position += piece.length;
      return piece;
    },
    async seek(offset) {
      position = Math.min(offset, bytes.length);
    },
    async close() {},
  };
}
