// SPDX-License-Identifier: MIT
import type { Decoder } from './decoder.js';
import { Habits } from './habits.js';
import { PassCosts } from './pass-costs.js';

/** What all texts of a model that are written with guesses have found out. */
export interface Experience {
  costs: PassCosts;
  habits: Habits;
}

const experiences = new WeakMap<Decoder, Experience>();

/** That of a model, by what its texts draw with. */
export function experienceOf(decoder: Decoder): Experience {
  const known = experiences.get(decoder) ?? { costs: new PassCosts(), habits: new Habits() };
  experiences.set(decoder, known);
  return known;
}
