// Value iteration for the dice game pig, as Neller and Presser ("Optimal play of the dice game Pig", 2004) do it.
//
// A position is the mover's score i, the other's score j and the turn total k: p[i][j][k] is the mover's probability of
// winning. A turn that is held makes the sum of the scores larger, so the pairs of scores {i, j} are solved from large
// sums to small ones, each by sweeps (Gauss-Seidel, large turn totals first) until no number changes by more than 1e-9.
// That proves nothing: the numbers have no bounds.
// Usage: pig RUNS GOAL; prints the positions, the first player's probability of winning and the seconds of the fastest
// run.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr double kSmall = 1e-9;
constexpr int kFaces = 6;

int goal;
std::vector<double> numbers;

double& at(int i, int j, int k) { return numbers[(static_cast<std::size_t>(i) * goal + j) * goal + k]; }

double win(int i, int j, int k) { return i + k >= goal ? 1 : at(i, j, k); }

double improved(int i, int j, int k) {
    double roll = 1 - win(j, i, 0);
    for (int face = 2; face <= kFaces; ++face) roll += win(i, j, k + face);
    return std::max(roll / kFaces, 1 - win(j, i + k, 0));
}

double sweep(int i, int j) {
    double change = 0;
    for (int k = goal - i - 1; k >= 0; --k) {
        const double value = improved(i, j, k);
        change = std::max(change, std::fabs(value - at(i, j, k)));
        at(i, j, k) = value;
    }
    return change;
}

void solve() {
    numbers.assign(static_cast<std::size_t>(goal) * goal * goal, 0);
    for (int sum = 2 * (goal - 1); sum >= 0; --sum)
        for (int i = std::max(0, sum - goal + 1); 2 * i <= sum; ++i) {
            const int j = sum - i;
            double change;
            do {
                change = sweep(i, j);
                if (i != j) change = std::max(change, sweep(j, i));
            } while (change >= kSmall);
        }
}

}  // namespace

int main(int, char** arguments) {
    const int runs = std::atoi(arguments[1]);
    goal = std::atoi(arguments[2]);
    double fastest = 1e300;
    for (int run = 0; run < runs; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        solve();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        fastest = std::min(fastest, took.count());
    }
    long positions = 0;
    for (int i = 0; i < goal; ++i) positions += static_cast<long>(goal) * (goal - i);
    std::printf("%ld %.12f %.9f\n", positions, at(0, 0, 0), fastest);
}
