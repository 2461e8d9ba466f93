// Minimax over the whole tree of tic-tac-toe, on plain cells: the obvious program.
//
// Like the kernel, it copies a position, marks a cell, checks whether that player has a line, and lists the empty cells
// row by row. Usage: tic_tac_toe RUNS; prints nodes, value and the seconds of the fastest run.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kCells = 9;
constexpr int kLines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

struct State {
    signed char cell[kCells] = {};  // 0 empty, 1 the first player, 2 the second
    int player = 1;
};

long nodes;

bool has_line(const State& state, int player) {
    for (const auto& line : kLines)
        if (state.cell[line[0]] == player && state.cell[line[1]] == player && state.cell[line[2]] == player) return true;
    return false;
}

int minimax(const State& state) {
    ++nodes;
    const int other = 3 - state.player;
    if (has_line(state, other)) return other == 1 ? 1 : -1;
    int moves[kCells], count = 0;
    for (int at = 0; at < kCells; ++at)
        if (state.cell[at] == 0) moves[count++] = at;
    if (count == 0) return 0;
    int best = state.player == 1 ? -2 : 2;
    for (int k = 0; k < count; ++k) {
        State next = state;
        next.cell[moves[k]] = static_cast<signed char>(state.player);
        next.player = other;
        const int value = minimax(next);
        best = state.player == 1 ? std::max(best, value) : std::min(best, value);
    }
    return best;
}

}  // namespace

int main(int, char** arguments) {
    double fastest = 1e9;
    int value = 0;
    for (int run = std::atoi(arguments[1]); run > 0; --run) {
        nodes = 0;
        const auto begin = std::chrono::steady_clock::now();
        value = minimax(State{});
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        fastest = std::min(fastest, seconds.count());
    }
    std::printf("%ld %d %.9f\n", nodes, value, fastest);
}
