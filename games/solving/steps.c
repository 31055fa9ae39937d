/* The two inner steps of learning a round, for every pair of hands; steps.py says what they do. */

#include <stddef.h>

/* shares: [state, move, hand of the mover]; the raises come first */

void carry(long states, long own, long other, long mover, long moves, long raises, const float *here,
           const float *shares, const long *after, const long *firsts, float *into)
{
    long pairs = own * other, hands = mover ? other : own;
    for (long state = 0; state < states; state++) {
        for (long raise = 0; raise < raises; raise++) {
            const float *share = shares + (state * moves + raise) * hands;
            const float *from = here + state * pairs;
            float *to = into + (firsts[raise] + after[state]) * pairs;
            for (long i = 0; i < own; i++, from += other, to += other)
                for (long j = 0; j < other; j++)
                    to[j] += from[j] * share[mover ? j : i];
        }
    }
}

static void weigh_move(long own, long other, long mover, const float *outcome, const float *share,
                       float *worth, const float *met, double *gains)
{
    for (long i = 0; i < own; i++, outcome += other, worth += other) {
        for (long j = 0; j < other; j++)
            worth[j] += outcome[j] * share[mover ? j : i];
        if (met) {
            for (long j = 0; j < other; j++)
                gains[mover ? j : i] += met[j] * outcome[j];
            met += other;
        }
    }
}

void weigh(long states, long own, long other, long mover, long moves, long raises, const float *values,
           const float *calls, const float *shares, const long *after, const long *firsts, float *worth,
           const float *reach, double *gains)
{
    long pairs = own * other, hands = mover ? other : own;
    for (long state = 0; state < states; state++) {
        for (long move = 0; move < moves; move++) {
            long place = (state * moves + move) * hands;
            const float *outcome = move < raises ? values + (firsts[move] + after[state]) * pairs
                                                 : calls + (move - raises) * pairs;
            weigh_move(own, other, mover, outcome, shares + place, worth + state * pairs,
                       reach ? reach + state * pairs : NULL, gains + place);
        }
    }
}
