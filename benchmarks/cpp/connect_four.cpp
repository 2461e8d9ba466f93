// Alpha-beta with a transposition table on connect four, 5 columns by 5 rows, on plain cells.
//
// The algorithm is that of the kernel: fail-soft, columns from left to right, but the best move of the table first;
// exact keys (one word: two bits a cell and the player to move), the same hash function, the same number of entries, and
// always-replace. So both visit the same nodes.
// Usage: connect_four RUNS ENTRIES; prints nodes, value and the seconds of the fastest run.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kColumns = 5, kRows = 5, kCells = kColumns * kRows, kRun = 4, kMost = 64;
constexpr int kInfinity = 1 << 20;

struct State {
    signed char cell[kCells] = {};  // row by row from below; 0 empty, 1 the first player, 2 the second
    int player = 1;
};

enum Bound : std::int64_t { kNone, kExact, kLower, kUpper };

struct Entry {
    std::uint64_t key;
    std::int64_t value;
    std::int64_t bound;
    std::int64_t move;
};

int lines[kMost][kRun], line_count;
Entry* table;
std::uint64_t mask;
long nodes;

void make_lines() {
    const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int x = 0; x < kColumns; ++x)
        for (int y = 0; y < kRows; ++y)
            for (const auto& step : steps) {
                const int last_x = x + step[0] * (kRun - 1), last_y = y + step[1] * (kRun - 1);
                if (last_x >= kColumns || last_y < 0 || last_y >= kRows) continue;
                for (int k = 0; k < kRun; ++k) lines[line_count][k] = (y + step[1] * k) * kColumns + x + step[0] * k;
                ++line_count;
            }
}

bool has_line(const State& state, int player) {
    for (int k = 0; k < line_count; ++k) {
        const int* line = lines[k];
        if (state.cell[line[0]] == player && state.cell[line[1]] == player && state.cell[line[2]] == player &&
            state.cell[line[3]] == player)
            return true;
    }
    return false;
}

bool is_full(const State& state) {
    for (int x = 0; x < kColumns; ++x)
        if (state.cell[kCells - kColumns + x] == 0) return false;
    return true;
}

int list(const State& state, int* moves) {
    int count = 0;
    for (int x = 0; x < kColumns; ++x)
        if (state.cell[kCells - kColumns + x] == 0) moves[count++] = x;
    return count;
}

void drop(State& state, int x) {
    int at = x;
    while (state.cell[at] != 0) at += kColumns;
    state.cell[at] = static_cast<signed char>(state.player);
    state.player = 3 - state.player;
}

std::uint64_t key_of(const State& state) {
    std::uint64_t first = 0, second = 0;
    for (int at = 0; at < kCells; ++at) {
        first |= static_cast<std::uint64_t>(state.cell[at] == 1) << at;
        second |= static_cast<std::uint64_t>(state.cell[at] == 2) << at;
    }
    return static_cast<std::uint64_t>(state.player - 1) << 1 | first << 2 | second << (2 + kCells);
}

Entry& entry_of(std::uint64_t key) {
    const std::uint64_t product = key * 0x9E3779B97F4A7C15u;
    const std::uint64_t stirred = (product ^ product >> 29) & ~std::uint64_t{0} >> 1;
    return table[stirred >> 12 & mask];
}

// The value of a position in which the play goes on, within the window; `own` is its key, `first` the move to try first,
// or -1.
int alphabeta(const State& state, std::uint64_t own, int alpha, int beta, int first) {
    int moves[kColumns];
    const int count = list(state, moves);
    if (first >= 0) {
        int* place = std::find(moves, moves + count, first);
        std::rotate(moves, place, place + 1);
    }
    const bool maximizes = state.player == 1;
    const int from = alpha, to = beta;
    int best = maximizes ? -kInfinity : kInfinity, move = moves[0];
    for (int k = 0; k < count && alpha < beta; ++k) {
        State next = state;
        drop(next, moves[k]);
        ++nodes;
        int value;
        if (has_line(next, state.player)) {
            value = maximizes ? 1 : -1;
        } else if (is_full(next)) {
            value = 0;
        } else {
            const std::uint64_t key = key_of(next);
            const Entry& known = entry_of(key);
            const bool same = known.key == key && known.bound != kNone;
            if (same && (known.bound == kExact || (known.bound == kLower && known.value >= beta) ||
                         (known.bound == kUpper && known.value <= alpha)))
                value = static_cast<int>(known.value);
            else
                value = alphabeta(next, key, alpha, beta, same ? static_cast<int>(known.move) : -1);
        }
        if (maximizes ? value > best : value < best) {
            best = value;
            move = moves[k];
        }
        if (maximizes)
            alpha = std::max(alpha, best);
        else
            beta = std::min(beta, best);
    }
    entry_of(own) = Entry{own, best, best <= from ? kUpper : best >= to ? kLower : kExact, move};
    return best;
}

}  // namespace

int main(int, char** arguments) {
    const std::uint64_t entries = std::strtoull(arguments[2], nullptr, 10);
    mask = entries - 1;
    make_lines();
    double fastest = 1e9;
    int value = 0;
    for (int run = std::atoi(arguments[1]); run > 0; --run) {
        nodes = 1;
        const auto begin = std::chrono::steady_clock::now();
        table = static_cast<Entry*>(std::calloc(entries, sizeof(Entry)));
        value = alphabeta(State{}, key_of(State{}), -kInfinity, kInfinity, -1);
        std::free(table);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        fastest = std::min(fastest, seconds.count());
    }
    std::printf("%ld %d %.9f\n", nodes, value, fastest);
}
