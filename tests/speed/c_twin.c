/* The hot kernels of the rules once more, in C: what the compiled Python is measured against.
 *
 * Function for function the same as `rules/reach.py`, `rules/horrors.py`, `rules/allowed.py`, `answers.py` and
 * `engine.py`, on the same memory. `c_twin_box.h` is written from their Python declarations when this file is built:
 * the records, the numbers of all terms and action ids, and the tables of prices, ranks and health.
 */
#include <stdbool.h>
#include <stdint.h>

#include "c_twin_box.h"

enum { LOW_SLOTS = 64, WORD = 64, SIDES = 4, PICKS = 16, TOO_FAR = HORROR_REACH + 1 };

typedef uint64_t Word;

/* A set of slots: a bit for each slot below 64, and the two slots beyond. */
typedef struct {
    Word low, high;
} Slots;

/* How far the closest potential victim is, and its seat. */
typedef struct {
    int steps, seat;
} Victim;

static inline int lowest_bit(Word word) { return __builtin_ctzll(word); }
static inline int how_many(Word word) { return __builtin_popcountll(word); }
static inline bool has(int sides, int side) { return sides >> side & 1; }

/* Flood fill: rules/reach.py */

static inline Slots only_slot(int slot) {
    if (slot < LOW_SLOTS) return (Slots){(Word)1 << slot, 0};
    if (slot < NOWHERE) return (Slots){0, (Word)1 << (slot - LOW_SLOTS)};
    return (Slots){0, 0};
}

static inline bool overlap(Slots a, Slots b) { return ((a.low & b.low) | (a.high & b.high)) != 0; }

static inline bool contains(Slots set, int slot) { return overlap(set, only_slot(slot)); }

static inline Slots with_neighbours(const State *state, Slots set) {
    Slots more = set;
    for (Word left = set.low; left; left &= left - 1) more.low |= state->adjacent[lowest_bit(left)];
    if (state->tile_count > LOW_SLOTS) {
        if (set.high & 1) more.low |= state->adjacent[LOW_SLOTS];
        if (set.high & 2) more.low |= state->adjacent[LOW_SLOTS + 1];
        if (state->adjacent[LOW_SLOTS] & set.low) more.high |= 1;
        if (state->adjacent[LOW_SLOTS + 1] & set.low) more.high |= 2;
        if (state->last_two_connected) more.high |= (set.high & 1) << 1 | set.high >> 1;
    }
    return more;
}

static inline Slots within(const State *state, int slot, int steps) {
    Slots reached = only_slot(slot);
    for (int step = 0; step < steps; step++) reached = with_neighbours(state, reached);
    return reached;
}

/* Cavers: rules/health.py, rules/horrors.py */

static inline bool is_conscious(const Caver *caver) { return caver->health > 0 && !caver->lost; }

static inline bool is_on_exit(const State *state, const Caver *caver) {
    return caver->slot != NOWHERE && caver->slot == state->exit_slot;
}

static inline bool is_potential_victim(const State *state, const Caver *caver) {
    return caver->slot != NOWHERE && !caver->hidden && caver->who != CAVER_SCOUT && is_conscious(caver) &&
           !is_on_exit(state, caver);
}

static inline Slots slots_of_victims(const State *state) {
    Slots wanted = {0, 0};
    for (int seat = 0; seat < state->caver_count; seat++) {
        if (is_potential_victim(state, &state->cavers[seat])) {
            Slots here = only_slot(state->cavers[seat].slot);
            wanted.low |= here.low;
            wanted.high |= here.high;
        }
    }
    return wanted;
}

static inline int rank(const State *state, int seat) { return RANK[state->rules][state->cavers[seat].who]; }

static inline int lowest_rank_among(const State *state, Slots reached) {
    int chosen = NOBODY;
    for (int seat = 0; seat < state->caver_count; seat++) {
        const Caver *caver = &state->cavers[seat];
        if (is_potential_victim(state, caver) && contains(reached, caver->slot) &&
            (chosen == NOBODY || rank(state, seat) < rank(state, chosen)))
            chosen = seat;
    }
    return chosen;
}

static Victim closest_victim(const State *state, int slot) {
    Slots wanted = slots_of_victims(state), reached = only_slot(slot);
    for (int steps = 0; steps < TOO_FAR; steps++) {
        if (overlap(reached, wanted)) return (Victim){steps, lowest_rank_among(state, reached)};
        reached = with_neighbours(state, reached);
    }
    return (Victim){TOO_FAR, NOBODY};
}

/* What a caver may do: rules/passages.py, rules/allowed.py */

static inline int barred_side(const Tile *tile) {
    if (tile->rope) return 0;
    if (tile->kind == KIND_LEDGE) return 1 << tile->turns;
    if (tile->kind == KIND_SLIDE) return 1 << (tile->turns + 2) % SIDES;
    return 0;
}

static inline bool horror_on(const State *state, int slot) {
    for (int i = 0; i < state->horror_count; i++)
        if (state->horrors[i].slot == slot) return true;
    return false;
}

static inline bool has_a_tile_to_lay(const State *state, const Caver *caver) {
    return state->places_left > 0 || (caver->who == CAVER_GEOLOGIST && state->reserve != NO_TILE);
}

static inline int demolishable(const State *state, const Tile *tile) {
    if (state->explosives_left == 0) return 0;
    return ALL_SIDES & ~tile->connected & ~(tile->open & tile->empty);
}

static inline int repellable(const State *state, const Tile *tile) {
    if (state->horror_count == 0) return 0;
    int found = 0;
    for (int side = 0; side < SIDES; side++)
        if (tile->beside[side] != NOWHERE && horror_on(state, tile->beside[side])) found |= 1 << side;
    return found & tile->connected;
}

static inline bool conscious_are_out(const State *state) {
    for (int seat = 0; seat < state->caver_count; seat++)
        if (is_conscious(&state->cavers[seat]) && !is_on_exit(state, &state->cavers[seat])) return false;
    return true;
}

/* Legal answers to `turn`: answers.py */

static inline Word ids(int block, Word members) { return members << block; }

static inline Word healing(const State *state, const Caver *caver) {
    Word found = 0;
    for (int other = 0; other < state->caver_count; other++) {
        const Caver *patient = &state->cavers[other];
        if (patient->slot == caver->slot && patient->health < HEALTH[patient->who])
            found |= ids(ID_HEAL + patient->who, 1);
    }
    return found;
}

static Word possible_actions(const State *state, int seat) {
    const Caver *caver = &state->cavers[seat];
    const Tile *tile = &state->tiles[caver->slot];
    int flooded = 0, rubble = 0, squeezes = 0;
    for (int side = 0; side < SIDES; side++) {
        const Tile *beyond = &state->tiles[tile->beside[side]];
        flooded |= beyond->flooded << side;
        rubble |= beyond->rubble << side;
        squeezes |= (beyond->kind == KIND_SQUEEZE) << side;
    }
    int unbarred = ~barred_side(tile), ways = tile->connected & unbarred;
    int unexplored = has_a_tile_to_lay(state, caver) ? tile->open & tile->empty & unbarred : 0;
    bool diver = caver->who == CAVER_DIVER, climber = caver->who == CAVER_CLIMBER;
    int moves = ways & ~((diver ? 0 : flooded) | (climber ? 0 : rubble | squeezes));

    Word found = ids(ID_REVEAL, unexplored) | ids(ID_EXPLORE, unexplored) | ids(ID_MOVE, moves) | ids(ID_RUN, moves);
    if (!diver) found |= ids(ID_SWIM, ways & flooded);
    if (!climber) found |= ids(ID_SQUEEZE, ways & squeezes);
    found |= ids(ID_DIG, ways & rubble) | ids(ID_DIG_HERE, tile->rubble == 1);
    found |= ids(ID_PLACE_ROPE, (tile->kind == KIND_LEDGE || tile->kind == KIND_SLIDE) && !tile->rope);
    found |= ids(ID_HIDE, !caver->hidden && !is_on_exit(state, caver));
    found |= healing(state, caver);
    switch (caver->who) {
        case CAVER_DIVER: return found | ids(ID_DIVE, tile->kind == KIND_WATER);
        case CAVER_ENGINEER: return found | ids(ID_DEMOLISH, demolishable(state, tile));
        case CAVER_MEDIC: return found | ids(ID_SPRINT, moves);
        case CAVER_BODYGUARD: return found | ids(ID_REPEL, repellable(state, tile));
        default: return found;
    }
}

static inline Word directing(const State *state) {
    Word found = 0;
    if (state->directed) return found;
    for (int other = 0; other < state->caver_count; other++) {
        const Caver *caver = &state->cavers[other];
        bool may_be_directed = caver->slot != NOWHERE && is_conscious(caver) && caver->who != CAVER_LEADER;
        if (may_be_directed && possible_actions(state, other) & FOR_ONE[state->rules][caver->who])
            found |= ids(ID_DIRECT + caver->who, 1);
    }
    return found;
}

static inline Word turn_answers(const State *state) {
    int seat = state->seat, who = state->cavers[seat].who;
    Word found = 0;
    if (state->points > 0) {
        found = possible_actions(state, seat);
        if (who == CAVER_LEADER) found |= directing(state);
        found &= FOR_ONE[state->rules][who] | (state->points > 1 ? FOR_TWO[state->rules][who] : 0);
    }
    return found | ids(ID_END_TURN, 1) | ids(ID_EXERT, !state->exerted) | ids(ID_LEAVE, conscious_are_out(state));
}

/* Mask and random pick: engine.py, answers.py, luck.py */

static inline void expand(const State *state, int8_t *restrict mask) {
    Word low = state->legal[0], high = state->legal[1];
    for (int action = 0; action < WORD; action++) mask[action] = low >> action & 1;
    for (int action = WORD; action < ACTIONS; action++) mask[action] = high >> (action - WORD) & 1;
}

static inline Word mixed(Word word) {
    word ^= word >> 30;
    word *= 0xBF58476D1CE4E5B9;
    word ^= word >> 27;
    word *= 0x94D049BB133111EB;
    return word ^ word >> 31;
}

static inline int nth_legal(const State *state, int n) {
    Word word = state->legal[0];
    int base = 0, below = how_many(word);
    if (n >= below) {
        word = state->legal[1];
        base = WORD;
        n -= below;
    }
    for (; n > 0; n--) word &= word - 1;
    return base + lowest_bit(word);
}

static inline int random_action(const State *state, Word *counter) {
    int count = how_many(state->legal[0]) + how_many(state->legal[1]);
    *counter += 0x9E3779B97F4A7C15;
    return nth_legal(state, (mixed(*counter) >> 32) * count >> 32);
}

/* A row of the horrors' moves with automatic choices: rules/horrors.py, rules/health.py, rules/acting.py */

static inline void lose_all_health(State *state, Caver *caver) {
    if (caver->lost || is_on_exit(state, caver)) return;
    caver->health = 0;
    if (caver->dived_from != NOWHERE) {
        caver->slot = caver->dived_from;
        caver->dived_from = NOWHERE;
    }
}

static inline bool is_spared_by_horrors(const State *state, const Caver *caver) {
    return caver->who == CAVER_SCOUT || is_on_exit(state, caver) ||
           (state->hidden_cavers_are_passed_by && caver->hidden);
}

static inline void contact(State *state) {
    for (int seat = 0; seat < state->caver_count; seat++) {
        Caver *caver = &state->cavers[seat];
        bool meets = caver->slot != NOWHERE && is_conscious(caver) && horror_on(state, caver->slot);
        if (meets && !is_spared_by_horrors(state, caver)) lose_all_health(state, caver);
    }
}

static inline bool everyone_is_out(const State *state) {
    for (int seat = 0; seat < state->caver_count; seat++)
        if (!state->cavers[seat].lost && !is_on_exit(state, &state->cavers[seat])) return false;
    return true;
}

static inline bool anyone_is_conscious(const State *state) {
    for (int seat = 0; seat < state->caver_count; seat++)
        if (is_conscious(&state->cavers[seat])) return true;
    return false;
}

static void break_off(State *state) {
    state->node = NODE_END;
    state->step = STEP_ROUND_BEGINS;
    state->actor = state->seat;
    state->moves_left = 0;
    state->card = NO_CARD;
    state->repeats_left = 0;
    state->spawns_left = 0;
    state->checks_first = 0;
    state->checks_done = 0;
    for (int i = 0; i < MOST_HORRORS; i++) state->horrors[i].waiting = 0;
}

static void end(State *state) {
    int left = 0;
    for (int seat = 0; seat < state->caver_count; seat++) left += !is_on_exit(state, &state->cavers[seat]);
    break_off(state);
    state->ending = left == 0   ? ENDING_GOLD
                    : left == 1 ? ENDING_SILVER
                    : left == 2 ? ENDING_BRONZE
                                : ENDING_DEFEAT;
}

static inline void end_if_over(State *state) {
    if (everyone_is_out(state) || !anyone_is_conscious(state) ||
        (state->stop_when_conscious_are_out && conscious_are_out(state)))
        end(state);
}

static inline void remove_horror(State *state, int index) {
    state->horror_count--;
    for (int i = index; i < state->horror_count; i++) state->horrors[i] = state->horrors[i + 1];
    state->horrors[state->horror_count] = (Horror){0, 0};
}

static inline int shortest_ways(const State *state, int slot, int goal, int steps) {
    const Tile *tile = &state->tiles[slot];
    Slots nearer = within(state, goal, steps - 1);
    int ways = 0;
    for (int side = 0; side < SIDES; side++)
        if (has(tile->connected, side) && contains(nearer, tile->beside[side])) ways |= 1 << side;
    return ways;
}

static inline void begin_horror_moves(State *state, int times) {
    state->repeats_left = times - 1;
    for (int i = 0; i < state->horror_count; i++) state->horrors[i].waiting = 1;
    state->step = STEP_HORRORS_MOVE;
}

static inline int oldest_waiting(const State *state) {
    for (int i = 0; i < state->horror_count; i++)
        if (state->horrors[i].waiting) return i;
    return state->horror_count;
}

static inline void send_horror(State *state, int index) {
    Horror *horror = &state->horrors[index];
    Victim victim = closest_victim(state, horror->slot);
    horror->waiting = 0;
    if (victim.seat == NOBODY) {
        remove_horror(state, index);
        state->step = STEP_HORRORS_MOVE;
        return;
    }
    state->moving = index;
    state->ways = shortest_ways(state, horror->slot, state->cavers[victim.seat].slot, victim.steps);
    state->step = STEP_HORROR_STEPS;
}

static inline void horrors_move(State *state) {
    int index = oldest_waiting(state);
    if (index < state->horror_count) {
        send_horror(state, index);
    } else if (state->repeats_left > 0) {
        begin_horror_moves(state, state->repeats_left);
    } else {
        state->step = state->phase == PHASE_HORROR ? STEP_HAZARD_BEGINS : STEP_SPAWN;
    }
}

static inline void horror_steps(State *state) {
    Horror *horror = &state->horrors[state->moving];
    horror->slot = state->tiles[horror->slot].beside[lowest_bit(state->ways)];
    state->moving = 0;
    state->ways = 0;
    state->step = STEP_HORRORS_MOVE;
    contact(state);
    end_if_over(state);
}

static inline void row_of_moves(State *state) {
    begin_horror_moves(state, 1);
    while (state->node == NODE_RUNNING && state->step != STEP_HAZARD_BEGINS) {
        if (state->step == STEP_HORRORS_MOVE) {
            horrors_move(state);
        } else {
            horror_steps(state);
        }
    }
}

/* The kernels, each over an array of games; `kernels.py` has the same. */

void twin_flood(const State *states, int64_t games, const int64_t *slots, const int64_t *steps, Word *restrict sets) {
    for (int64_t i = 0; i < games; i++) {
        Slots reached = within(&states[i], slots[i], steps[i]);
        sets[2 * i] = reached.low;
        sets[2 * i + 1] = reached.high;
    }
}

void twin_victim(const State *states, int64_t games, const int64_t *slots, int64_t *restrict victims) {
    for (int64_t i = 0; i < games; i++) {
        Victim victim = closest_victim(&states[i], slots[i]);
        victims[2 * i] = victim.steps;
        victims[2 * i + 1] = victim.seat;
    }
}

void twin_mask(State *states, int64_t games, int8_t *restrict masks) {
    for (int64_t i = 0; i < games; i++) {
        states[i].legal[0] = turn_answers(&states[i]);
        states[i].legal[1] = 0;
        expand(&states[i], masks + i * ACTIONS);
    }
}

void twin_pick(const State *states, int64_t games, Word *restrict counter, int64_t *restrict actions) {
    for (int row = 0; row < PICKS; row++)
        for (int64_t i = 0; i < games; i++) *actions++ = random_action(&states[i], counter);
}

void twin_horrors(State *states, int64_t games) {
    for (int64_t i = 0; i < games; i++) row_of_moves(&states[i]);
}
