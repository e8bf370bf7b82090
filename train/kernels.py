"""What training does for every decision, compiled: drawing answers, and advantages."""

import numpy as np

from subterra_env.jit import entry


@entry
def draw_answers(logits, masks, chances, answers, log_chances):
    """Draws a legal answer in every game, with the chances that the logits of the legal answers stand for.

    ``logits``: float32[n, ACTIONS]; ``masks``: int8[n, ACTIONS]; ``chances``: float64[n], uniform from 0 to 1;
    ``answers``: int64[n] and ``log_chances``: float32[n], written.
    """
    weights = np.empty(logits.shape[1])
    for i in range(len(logits)):
        most = -np.inf
        for k in range(logits.shape[1]):
            if masks[i, k] and logits[i, k] > most:
                most = logits[i, k]
        total, last = 0.0, 0
        for k in range(logits.shape[1]):
            weights[k] = np.exp(logits[i, k] - most) if masks[i, k] else 0.0
            total += weights[k]
        left = chances[i] * total
        for k in range(logits.shape[1]):
            if masks[i, k]:
                last = k
                left -= weights[k]
                if left < 0:
                    break
        answers[i] = last
        log_chances[i] = np.log(weights[last] / total)


@entry
def write_advantages(rewards, values, overs, gamma, decay, advantages):
    """Generalised advantage estimates (Schulman et al. 2016).

    ``rewards``: float32[t, n]; ``values``: float32[t + 1, n]; ``overs``: bool[t, n], whether the decision ended the
    game; ``gamma``, ``decay``: discount and lambda; ``advantages``: float32[t, n], written.
    """
    for i in range(rewards.shape[1]):
        ahead = 0.0
        for t in range(len(rewards) - 1, -1, -1):
            goes_on = 0.0 if overs[t, i] else 1.0
            error = rewards[t, i] + gamma * values[t + 1, i] * goes_on - values[t, i]
            ahead = error + gamma * decay * goes_on * ahead
            advantages[t, i] = ahead


@entry
def turn_rows(seen, masks, answers, turns, pairs, sources, signs, actions, turned_seen, turned_masks, turned_answers):
    """Maps rows by symmetries; ``turns``, ``pairs``: int64[n], which of the maps; the others as in `symmetries`."""
    for i in range(len(seen)):
        source, sign = sources[turns[i], pairs[i]], signs[turns[i], pairs[i]]
        action = actions[turns[i], pairs[i]]
        for k in range(len(source)):
            turned_seen[i, k] = seen[i, source[k]] * sign[k]
        for k in range(seen.shape[1] - len(source)):
            turned_seen[i, len(source) + action[k]] = seen[i, len(source) + k]
        for k in range(masks.shape[1]):
            turned_masks[i, action[k]] = masks[i, k]
        turned_answers[i] = action[answers[i]]
