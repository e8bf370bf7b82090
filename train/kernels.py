"""What training does for every decision, compiled: drawing answers, advantages, and the loss with its gradients."""

import numpy as np

from subterra_env.jit import compiled, entry

_SPREAD_LEAST = 1e-8


@entry
def draw_answers(logits, masks, chances, answers, log_chances):
    """Draws a legal answer in every game, with the chances that the logits of the legal answers stand for.

    ``logits``: float32[n, ACTIONS]; ``masks``: int8[n, ACTIONS]; ``chances``: float64[n], uniform from 0 to 1;
    ``answers``: int64[n] and ``log_chances``: float32[n], written.
    """
    weights, legal = np.empty(logits.shape[1]), np.empty(logits.shape[1], np.int64)
    for i in range(len(logits)):
        count, _ = _write_chances(logits[i], masks[i], legal, weights)
        drawn, left = 0, chances[i] - weights[0]
        while left >= 0 and drawn + 1 < count:
            drawn += 1
            left -= weights[drawn]
        answers[i], log_chances[i] = legal[drawn], np.log(weights[drawn])


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
def write_gradients(
    rows, logits, values, masks, answers, log_chances, advantages, returns,
    clip, entropy_weight, value_weight, by_logits, by_values, report,
):  # fmt: skip
    """Gradients of PPO's loss (clipped surrogate, entropy bonus, Huber loss of values), means over a minibatch.

    Written out because the loss looks at the few legal answers only, where torch's functions go over all of them.

    ``rows``: int64[n], the minibatch's rows of what was played: ``masks``: int8[m, ACTIONS], ``answers``: int64[m],
    ``log_chances``, ``advantages``, ``returns``: float32[m]; ``logits``: float32[n, ACTIONS] and ``values``:
    float32[n], what the network says of them now. ``by_logits``, ``by_values``: zeros, shaped as these, written;
    ``report``: float64[5], zeros, written: mean KL divergence, share clipped, entropy, loss of the policy and of the
    values.
    """
    n, actions = logits.shape
    mean, spread = _moments(rows, advantages)
    chances, legal = np.empty(actions), np.empty(actions, np.int64)
    for i in range(n):
        row = rows[i]
        count, log_total = _write_chances(logits[i], masks[row], legal, chances)
        entropy = 0.0
        for j in range(count):
            entropy -= chances[j] * (logits[i, legal[j]] - log_total)
        advantage = (advantages[row] - mean) / spread
        log_ratio = logits[i, answers[row]] - log_total - log_chances[row]
        ratio = np.exp(log_ratio)
        surrogate = min(ratio * advantage, min(max(ratio, 1 - clip), 1 + clip) * advantage)
        pull = ratio * advantage if surrogate == ratio * advantage else 0.0
        for j in range(count):
            was_given = 1.0 if legal[j] == answers[row] else 0.0
            by_entropy = chances[j] * (logits[i, legal[j]] - log_total + entropy)
            by_logits[i, legal[j]] = (pull * (chances[j] - was_given) + entropy_weight * by_entropy) / n
        error = values[i] - returns[row]
        by_values[i] = value_weight * min(max(error, -1.0), 1.0) / n
        report[0] += (ratio - 1 - log_ratio) / n
        report[1] += (abs(ratio - 1) > clip) / n
        report[2] += entropy / n
        report[3] -= surrogate / n
        report[4] += (0.5 * error**2 if abs(error) < 1 else abs(error) - 0.5) / n


@compiled
def _write_chances(logits, mask, legal, chances):
    """Writes which answers are legal and the chances that their logits stand for; how many, and the log of the sum."""
    count, most = 0, -np.inf
    for k in range(len(mask)):
        if mask[k]:
            legal[count] = k
            count += 1
            most = max(most, logits[k])
    total = 0.0
    for j in range(count):
        chances[j] = np.exp(logits[legal[j]] - most)
        total += chances[j]
    for j in range(count):
        chances[j] /= total
    return count, most + np.log(total)


@compiled
def _moments(rows, numbers):
    """Mean and standard deviation of some of the numbers; the second is never nothing."""
    total = squares = 0.0
    for row in rows:
        total += numbers[row]
    mean = total / len(rows)
    for row in rows:
        squares += (numbers[row] - mean) ** 2
    return mean, np.sqrt(squares / len(rows)) + _SPREAD_LEAST


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
