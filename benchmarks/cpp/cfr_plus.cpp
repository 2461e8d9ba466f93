// CFR+ with alternating updates and linear averaging on a game in sequence form, in flat arrays: the algorithm of our
// kernel, written by hand for two players, without index checks.
//
// The game comes on standard input, as numbers. For each of the two players: the numbers of information sets, sequences
// and leaves; for each set the sequence that leads to it and its first one; for each sequence the number of leaves at
// which it ends, and for each of these in order the other player's sequence and the payoff times chance's probability.
// Usage: cfr_plus RUNS ITERATIONS; prints the iterations, the value of the first player's last strategy against the
// second's, and the seconds of the fastest run.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Player {
    int sets, sequences, leaves;
    std::vector<int> parent, first, row, other;
    std::vector<double> payoff;
    std::vector<double> regret, strategy, plan, sum, value;
};

Player players[2];

int read_int() {
    int number;
    if (std::scanf("%d", &number) != 1) std::exit(1);
    return number;
}

double read_double() {
    double number;
    if (std::scanf("%lf", &number) != 1) std::exit(1);
    return number;
}

void read(Player& player) {
    player.sets = read_int(), player.sequences = read_int(), player.leaves = read_int();
    for (int i = 0; i < player.sets; ++i) player.parent.push_back(read_int()), player.first.push_back(read_int());
    player.first.push_back(player.sequences);
    player.row.push_back(0);
    for (int s = 0; s < player.sequences; ++s) player.row.push_back(player.row.back() + read_int());
    for (int l = 0; l < player.leaves; ++l) player.other.push_back(read_int()), player.payoff.push_back(read_double());
}

void match(Player& player, int first, int end) {
    double total = 0;
    for (int s = first; s < end; ++s) total += player.regret[s];
    for (int s = first; s < end; ++s) player.strategy[s] = total > 0 ? player.regret[s] / total : 1.0 / (end - first);
}

void follow(Player& player) {
    for (int i = 0; i < player.sets; ++i)
        for (int s = player.first[i]; s < player.first[i + 1]; ++s)
            player.plan[s] = player.plan[player.parent[i]] * player.strategy[s];
}

void begin(Player& player) {
    player.regret.assign(player.sequences, 0), player.sum.assign(player.sequences, 0);
    player.strategy.assign(player.sequences, 1), player.plan.assign(player.sequences, 1);
    player.value.assign(player.sequences, 0);
    for (int i = 0; i < player.sets; ++i) match(player, player.first[i], player.first[i + 1]);
    follow(player);
}

void update(Player& player, const Player& other, double weight) {
    for (int s = 0; s < player.sequences; ++s) {
        double total = 0;
        for (int l = player.row[s]; l < player.row[s + 1]; ++l) total += player.payoff[l] * other.plan[player.other[l]];
        player.value[s] = total;
    }
    for (int i = player.sets - 1; i >= 0; --i) {
        const int first = player.first[i], end = player.first[i + 1];
        double expected = 0;
        for (int s = first; s < end; ++s) expected += player.strategy[s] * player.value[s];
        player.value[player.parent[i]] += expected;
        for (int s = first; s < end; ++s)
            player.regret[s] = std::max(0.0, player.regret[s] + player.value[s] - expected);
        match(player, first, end);
    }
    for (int s = 0; s < player.sequences; ++s) player.sum[s] += weight * player.plan[s];
    follow(player);
}

}  // namespace

int main(int, char** arguments) {
    for (Player& player : players) read(player);
    const int iterations = std::atoi(arguments[2]);
    double fastest = 1e9;
    for (int run = std::atoi(arguments[1]); run > 0; --run) {
        for (Player& player : players) begin(player);
        const auto begun = std::chrono::steady_clock::now();
        for (int t = 1; t <= iterations; ++t) {
            update(players[0], players[1], t);
            update(players[1], players[0], t);
        }
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
        fastest = std::min(fastest, seconds.count());
    }
    std::printf("%d %.17g %.9f\n", iterations, players[0].value[0], fastest);
}
