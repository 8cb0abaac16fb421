// SPDX-License-Identifier: MIT
import { openSource } from '../../../build/web/engine/model-source.js';
import { postSource, received } from '../../../build/web/worker/posted-source.js';
import { serve } from '../../support/file-server.js';
import { safetensors } from '../../support/safetensors.js';
import { tinyConfig, tinyTensors } from '../../support/tiny-checkpoint.js';

const CONFIG = Buffer.from(JSON.stringify(tinyConfig));
const WEIGHTS = safetensors(tinyTensors());
const server = await serve({
  '/tiny/config.json': { bytes: CONFIG },
  '/tiny/model.safetensors': { bytes: WEIGHTS },
});
afterAll(() => server.close());

test.each([
  ['a folder', () => server.url('/tiny/')],
  ['a folder that does not say so', () => server.url('/tiny')],
  ['buffers', () => ({ config: CONFIG, weights: [WEIGHTS] })],
  ['a stream', () => ({ config: new Blob([CONFIG]), weights: new Blob([WEIGHTS]).stream() })],
  ['files', () => [new File([CONFIG], 'config.json'), new File([WEIGHTS], 'a.safetensors')]],
])('a checkpoint of %s crosses to a worker whole', async (_, source) => {
  const { posted, transfer, release } = postSource(source());
  const crossed = structuredClone(posted, { transfer });
  const files = await openSource(received(crossed), {});
  let bytes = 0;
  await files.stream(
    () => true,
    (_tensor, piece) => {
      bytes += piece.byteLength;
    },
  );
  expect(bytes).toBe(files.header.tensors.reduce((sum, tensor) => sum + tensor.bytes, 0));
  expect(files.header.metadata.get('general.architecture')).toBe('lfm2');
  release();
});

test('an address that is neither a file nor a folder fails as the file that it was given as', async () => {
  const error = await openSource(server.url('/nothing'), {}).catch((failure) => failure);
  expect(error).toMatchObject({ code: 'not_found', subject: server.url('/nothing') });
});
