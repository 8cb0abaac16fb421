// SPDX-License-Identifier: MIT
import create from 'fastweights-glue/simd128-threads';
import { runThread } from './thread.js';

runThread(create);
