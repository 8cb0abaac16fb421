// SPDX-License-Identifier: MIT
import Ajv from 'ajv/dist/2020.js';
import { randomNumbers } from '../web/byte-level.js';
import { editedModel } from './edit-model.js';
import {
  collect,
  DEMO,
  hybridModel,
  ids,
  linearModel,
  loadModel,
  rejection,
} from './models.js';
