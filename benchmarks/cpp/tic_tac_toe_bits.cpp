// Minimax over the whole tree of tic-tac-toe, on bit boards: the program of somebody who wants it to be fast.
//
// The marks of each player are the bits of a number, in a register; empty cells are taken out of a mask, and lines are
// tested in four directions by shifts. Usage: tic_tac_toe_bits RUNS; prints nodes, value and the seconds of the fastest
// run.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr unsigned kBoard = 0x1ff;

long nodes;

bool has_line(unsigned marks) {
    const unsigned rows = marks & marks >> 1 & marks >> 2 & 0x49;
    const unsigned columns = marks & marks >> 3 & marks >> 6 & 0x7;
    return (rows | columns | (marks & marks >> 4 & marks >> 8 & 0x1) | (marks & marks >> 2 & marks >> 4 & 0x4)) != 0;
}

int minimax(unsigned own, unsigned other, bool is_first) {
    ++nodes;
    if (has_line(other)) return is_first ? -1 : 1;
    unsigned empty = kBoard & ~(own | other);
    if (empty == 0) return 0;
    int best = is_first ? -2 : 2;
    for (; empty != 0; empty &= empty - 1) {
        const int value = minimax(other, own | (empty & -empty), !is_first);
        best = is_first ? std::max(best, value) : std::min(best, value);
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
        value = minimax(0, 0, true);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        fastest = std::min(fastest, seconds.count());
    }
    std::printf("%ld %d %.9f\n", nodes, value, fastest);
}
