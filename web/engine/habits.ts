// SPDX-License-Identifier: MIT
import type { Choices } from './choices.js';
import { towards } from './guess-policy.js';

/** A token that was taken before, and how likely it is to be taken again. */
export interface Habit {
  id: number;
  likely: number;
}

// What is believed of a choice that was made once.
const PRIOR = 0.7;
// The weight of what was seen last.
const FRESH = 0.2;
// Below this another choice takes its place, with as much belief.
const LEAST = 0.5;
// Of the places that were come to longest ago some are forgotten then.
const MOST_PLACES = 8192;

/**
 * What a model's texts have taken where a constraint leaves few tokens, by these and the one before: how
 * keys fall into tokens, where there is white space, values that are always the same. It is for all
 * of a model's texts: most are held to what others were held to before.
 */
export class Habits {
  readonly #places = new Map<number, Habit>();

  guess(choices: Choices, before: number): Readonly<Habit> | undefined {
    const [near, far] = places(choices, before);
    return this.#places.get(near) ?? this.#places.get(far);
  }

  /** Takes what was drawn there. */
  learn(choices: Choices, before: number, id: number): void {
    for (const place of places(choices, before)) {
      const habit = this.#places.get(place) ?? { id, likely: PRIOR };
      habit.likely = towards(habit.likely, Number(habit.id === id), FRESH);
      if (habit.id !== id && habit.likely < LEAST) Object.assign(habit, { id, likely: LEAST });
      this.#places.delete(place);
      this.#places.set(place, habit);
    }
    while (this.#places.size > MOST_PLACES) {
      this.#places.delete(this.#places.keys().next().value as number);
    }
  }
}

// What is among these choices behind a token; and what is among them at all.
const places = ({ key }: Choices, before: number) =>
  [Math.imul(key ^ (before + 1), 0x85ebca6b), key] as const;
