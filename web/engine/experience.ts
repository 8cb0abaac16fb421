// SPDX-License-Identifier: MIT
import type { Decoder } from './decoder.js';
import { type GuessRecord, newRecord } from './guess-policy.js';
import { Habits } from './habits.js';
import { PassCosts } from './pass-costs.js';

/** What all texts of a model that are written with guesses have found out. */
export interface Experience {
  costs: PassCosts;
  habits: Habits;
  /** What the guesses of the model's block have come to. */
  block: GuessRecord;
}

const experiences = new WeakMap<Decoder, Experience>();

/** That of a model, by what its texts draw with. */
export function experienceOf(decoder: Decoder): Experience {
  const known = experiences.get(decoder);
  if (known) return known;
  const none = { costs: new PassCosts(), habits: new Habits(), block: newRecord('block') };
  experiences.set(decoder, none);
  return none;
}
