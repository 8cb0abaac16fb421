// SPDX-License-Identifier: MIT
import { crc32, inflateSync } from 'node:zlib';
import { palettePng } from '../../tools/screenshot/palette-png.mjs';

/** What a reader of PNGs makes of the chunks, their sums checked. */
function chunksOf(png) {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks = {};
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const named = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    chunks[named.subarray(0, 4).toString('latin1')] = named.subarray(4);
    at += length + 12;
  }
  return chunks;
}

/** The colours of its pixels, row by row. */
function coloursOf(png) {
  const { IHDR, PLTE, IDAT } = chunksOf(png);
  const [width, height] = [IHDR.readUInt32BE(0), IHDR.readUInt32BE(4)];
  expect([...IHDR.subarray(8)]).toEqual([8, 3, 0, 0, 0]);
  const rows = inflateSync(IDAT);
  const colours = [];
  for (let y = 0; y < height; y++) {
    expect(rows[y * (width + 1)]).toBe(0);
    for (let x = 0; x < width; x++) {
      const place = 3 * rows[y * (width + 1) + 1 + x];
      colours.push(PLTE.subarray(place, place + 3).toString('hex'));
    }
  }
  return colours;
}

const rgba = (...colours) =>
  Uint8Array.from(colours.flatMap((colour) => [...Buffer.from(`${colour}ff`, 'hex')]));

test('few colours are themselves', () => {
  const colours = ['ff0000', '00ff00', '0000ff', 'ff0000', '123456', '00ff00'];
  expect(coloursOf(palettePng(rgba(...colours), 3, 2))).toEqual(colours);
});

test('of many, those that are rare become the nearest of the others', () => {
  const greys = Array.from({ length: 128 }, (_, i) =>
    (2 * i).toString(16).padStart(2, '0').repeat(3),
  );
  const colours = [...greys, ...greys, '050505', 'fe0505'];
  const found = coloursOf(palettePng(rgba(...colours), 129, 2));
  expect(found.slice(0, 256)).toEqual([...greys, ...greys]);
  expect(['040404', '060606']).toContain(found[256]);
  expect(greys).toContain(found[257]);
});
