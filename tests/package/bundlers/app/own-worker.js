// SPDX-License-Identifier: MIT
import 'fastweights/worker';
