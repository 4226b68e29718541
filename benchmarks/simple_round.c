/* A smaller game by hand, for scale: how fast could a matching game be if it were written in C and for speed alone?
 *
 * One side, four players, 112 cards in bit sets, seven cards each; Draw One, Reverse, Skip, Wild and Wild Draw Two.
 * Random play, and the full list of legal moves is built at every decision: all cards that match (a wild once for each
 * color), or to draw; after drawing a card that fits, to play or to keep it.  There is no flip, no UNO, no challenge,
 * no option, no event, no score, no order in the hands, and the shuffles are xorshift.
 *
 *     cc -O3 -march=native simple_round.c -o simple_round && ./simple_round ROUNDS SEED     prints: decisions seconds
 */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PLAYERS = 4, CARDS = 112, HALF = 56, HAND = 7, LIMIT = 100000 };
enum { DRAW = 9, REVERSE = 10, SKIP = 11, BLANK = 12, WILD = 13, WILD_DRAW = 14, RANKS = 15 };
enum { NO_COLOR = 4, COLORS = 5 };
enum { TAKE = 112, KEEP = 113 };
enum { TURN, DRAWN };

typedef struct {
    uint64_t hands[PLAYERS][2];
    int counts[PLAYERS];
    uint8_t stock[CARDS], pile[CARDS];
    int stock_size, pile_size, turn, direction, color, phase, drawn;
} Round;

static uint8_t color_of[CARDS], rank_of[CARDS];
static uint64_t with_color[COLORS][2], with_rank[RANKS][2];
static uint32_t dice;

static uint32_t below(uint32_t n) {
    dice ^= dice << 13;
    dice ^= dice >> 17;
    dice ^= dice << 5;
    return (uint32_t)((uint64_t)dice * n >> 32);
}

static void name_cards(void) {
    for (int card = 0; card < CARDS; card++) {
        color_of[card] = card < 104 ? card / 26 : NO_COLOR;
        rank_of[card] = card < 104 ? card % 13 : card < 108 ? WILD : WILD_DRAW;
        with_color[color_of[card]][card / HALF] |= 1ULL << card % HALF;
        with_rank[rank_of[card]][card / HALF] |= 1ULL << card % HALF;
    }
}

static void shuffle(uint8_t *cards, int size) {
    for (int i = size - 1; i > 0; i--) {
        int j = below(i + 1);
        uint8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
}

static int draw_card(Round *r, int seat) {
    if (r->stock_size == 0) {
        if (r->pile_size < 2) return -1;
        uint8_t top = r->pile[r->pile_size - 1];
        r->stock_size = r->pile_size - 1;
        for (int i = 0; i < r->stock_size; i++) r->stock[i] = r->pile[i];
        shuffle(r->stock, r->stock_size);
        r->pile[0] = top;
        r->pile_size = 1;
    }
    int card = r->stock[--r->stock_size];
    r->hands[seat][card / HALF] |= 1ULL << card % HALF;
    r->counts[seat]++;
    return card;
}

static void deal(Round *r, int dealer) {
    for (int card = 0; card < CARDS; card++) r->stock[card] = card;
    shuffle(r->stock, CARDS);
    r->stock_size = CARDS;
    for (int seat = 0; seat < PLAYERS; seat++) r->hands[seat][0] = r->hands[seat][1] = r->counts[seat] = 0;
    for (int i = 0; i < HAND * PLAYERS; i++) draw_card(r, i % PLAYERS);
    r->pile_size = 0;
    do r->pile[r->pile_size++] = r->stock[--r->stock_size];
    while (rank_of[r->pile[r->pile_size - 1]] >= WILD);
    r->color = color_of[r->pile[r->pile_size - 1]];
    r->turn = (dealer + 1) % PLAYERS;
    r->direction = 1;
    r->phase = TURN;
}

static int add_plays(int card, int *out, int n) {
    int colors = rank_of[card] >= WILD ? 4 : 1;
    for (int color = 0; color < colors; color++) out[n++] = card | color << 8;
    return n;
}

static int legal_moves(const Round *r, int *out) {
    int n = 0;
    if (r->phase == DRAWN) {
        n = add_plays(r->drawn, out, n);
        out[n++] = KEEP;
        return n;
    }
    int rank = rank_of[r->pile[r->pile_size - 1]];
    for (int half = 0; half < 2; half++) {
        uint64_t cards = r->hands[r->turn][half]
                         & (with_color[r->color][half] | with_color[NO_COLOR][half] | with_rank[rank][half]);
        for (; cards; cards &= cards - 1) n = add_plays(HALF * half + __builtin_ctzll(cards), out, n);
    }
    out[n++] = TAKE;
    return n;
}

static void pass_turn(Round *r, int seats) {
    r->turn = (r->turn + seats * r->direction + 2 * PLAYERS) % PLAYERS;
    r->phase = TURN;
}

/* The number of cards of the player who moved. */
static int apply(Round *r, int move) {
    int seat = r->turn, what = move & 255;
    if (what == KEEP) {
        pass_turn(r, 1);
    } else if (what == TAKE) {
        int rank = rank_of[r->pile[r->pile_size - 1]];
        r->drawn = draw_card(r, seat);
        if (r->drawn >= 0
            && (rank_of[r->drawn] >= WILD || color_of[r->drawn] == r->color || rank_of[r->drawn] == rank))
            r->phase = DRAWN;
        else
            pass_turn(r, 1);
    } else {
        int rank = rank_of[what];
        r->hands[seat][what / HALF] ^= 1ULL << what % HALF;
        r->counts[seat]--;
        r->pile[r->pile_size++] = what;
        r->color = rank >= WILD ? move >> 8 : color_of[what];
        if (rank == REVERSE) r->direction = -r->direction;
        pass_turn(r, 1);
        if (rank == DRAW || rank == WILD_DRAW)
            for (int i = 0; i < (rank == DRAW ? 1 : 2); i++) draw_card(r, r->turn);
        if (rank == DRAW || rank == WILD_DRAW || rank == SKIP) pass_turn(r, 1);
    }
    return r->counts[seat];
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    long rounds = atol(argv[1]), decisions = 0;
    dice = (uint32_t)strtoul(argv[2], NULL, 10) * 2654435761u | 1;
    name_cards();
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (long i = 0; i < rounds; i++) {
        Round r;
        int out[256];
        deal(&r, i % PLAYERS);
        for (int made = 0; made < LIMIT; made++) {
            int n = legal_moves(&r, out);
            decisions++;
            if (apply(&r, out[below(n)]) == 0) break;
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    printf("%ld %.6f\n", decisions, (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec));
    return 0;
}
