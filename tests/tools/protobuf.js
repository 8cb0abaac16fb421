// SPDX-License-Identifier: MIT

/** The fields of a protobuf message, [number, value] each; bytes are left as they are. */
function fieldsOf(bytes) {
  const fields = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  };
  const take = (count) => {
    at += count;
    return bytes.subarray(at - count, at);
  };
  while (at < bytes.length) {
    const key = varint();
    const kinds = { 0: varint, 2: () => take(varint()), 5: () => take(4) };
    fields.push([key >> 3, kinds[key % 8]()]);
  }
  if (at !== bytes.length) throw new RangeError('the last field runs past the end');
  return fields;
}

/** The values of one field. */
export const all = (bytes, number) =>
  fieldsOf(bytes)
    .filter(([field]) => field === number)
    .map(([, value]) => value);
export const text = (bytes) => new TextDecoder().decode(bytes);
export const texts = (bytes, number) => all(bytes, number).map(text);
