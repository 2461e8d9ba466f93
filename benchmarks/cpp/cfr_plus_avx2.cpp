// CFR+ with alternating updates and linear averaging on a game in sequence form, by hand with AVX2 and FMA: eight
// information sets with the same number of moves side by side, in two registers of four doubles, and payoffs as small
// dense matrices that sequences share. The layout is that of our kernel, which finds it; indices have 32 bits, nothing is
// checked, and products are added without rounding.
//
// The game comes on standard input: the lists of our record of a game of two players, in the order of `main` below, each
// as its length and its numbers. Usage: cfr_plus_avx2 RUNS ITERATIONS; prints the iterations, the value of the first
// player's last strategy against the second's, and the seconds of the fastest run.

#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

namespace {

constexpr int LANES = 8;

template <class T>
struct Aligned {
    using value_type = T;
    Aligned() = default;
    template <class U>
    Aligned(const Aligned<U>&) {}
    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(64)));
    }
    void deallocate(T* at, std::size_t) { ::operator delete(at, std::align_val_t(64)); }
    bool operator==(const Aligned&) const { return true; }
    bool operator!=(const Aligned&) const { return false; }
};

using Doubles = std::vector<double, Aligned<double>>;
using Ints = std::vector<int>;

struct Lanes {
    __m256d low, high;
};

inline Lanes all(double x) { return {_mm256_set1_pd(x), _mm256_set1_pd(x)}; }
inline Lanes load(const double* row) { return {_mm256_load_pd(row), _mm256_load_pd(row + 4)}; }
inline void store(double* row, Lanes x) { _mm256_store_pd(row, x.low), _mm256_store_pd(row + 4, x.high); }
inline Lanes operator+(Lanes x, Lanes y) { return {_mm256_add_pd(x.low, y.low), _mm256_add_pd(x.high, y.high)}; }
inline Lanes operator-(Lanes x, Lanes y) { return {_mm256_sub_pd(x.low, y.low), _mm256_sub_pd(x.high, y.high)}; }
inline Lanes operator*(Lanes x, Lanes y) { return {_mm256_mul_pd(x.low, y.low), _mm256_mul_pd(x.high, y.high)}; }
inline Lanes operator/(Lanes x, Lanes y) { return {_mm256_div_pd(x.low, y.low), _mm256_div_pd(x.high, y.high)}; }
inline Lanes max(Lanes x, Lanes y) { return {_mm256_max_pd(x.low, y.low), _mm256_max_pd(x.high, y.high)}; }
inline Lanes add_product(Lanes sum, Lanes x, Lanes y) {
    return {_mm256_fmadd_pd(x.low, y.low, sum.low), _mm256_fmadd_pd(x.high, y.high, sum.high)};
}
inline Lanes if_positive(Lanes test, Lanes yes, Lanes no) {
    const __m256d zero = _mm256_setzero_pd();
    return {_mm256_blendv_pd(no.low, yes.low, _mm256_cmp_pd(test.low, zero, _CMP_GT_OQ)),
            _mm256_blendv_pd(no.high, yes.high, _mm256_cmp_pd(test.high, zero, _CMP_GT_OQ))};
}

Ints bases, families, parents, leads, firsts, ends, columns, others, matrices, bounds, singles, spans, single_others;
Doubles payoffs, single_payoffs, values, regrets, strategies, plans, sums;

void read(Ints& list) {
    int length;
    if (std::scanf("%d", &length) != 1) std::exit(1);
    list.resize(length);
    for (int& number : list)
        if (std::scanf("%d", &number) != 1) std::exit(1);
}

void read(Doubles& list) {
    int length;
    if (std::scanf("%d", &length) != 1) std::exit(1);
    list.resize(length);
    for (double& number : list)
        if (std::scanf("%lf", &number) != 1) std::exit(1);
}

void evaluate(int player) {
    int column = columns[bases[player]];
    for (int row = bases[player]; row < bases[player + 1]; ++row) {
        const double* matrix = &payoffs[matrices[row] * LANES];
        Lanes total = all(0);
        for (const int end = columns[row + 1]; column < end; ++column, matrix += LANES)
            total = add_product(total, load(matrix), all(plans[others[column]]));
        store(&values[row * LANES], total);
    }
    for (int j = bounds[player]; j < bounds[player + 1]; ++j) {
        double total = 0;
        for (int leaf = spans[j]; leaf < spans[j + 1]; ++leaf)
            total += single_payoffs[leaf] * plans[single_others[leaf]];
        values[singles[j]] = total;
    }
}

void update(int player) {
    const Lanes none = all(0), one = all(1);
    for (int family = families[player + 1] - 1; family >= families[player]; --family) {
        const int first = firsts[family] * LANES, end = ends[family] * LANES, parent = parents[family];
        Lanes expected = none;
        for (int s = first; s < end; s += LANES) expected = add_product(expected, load(&strategies[s]), load(&values[s]));
        if (parent >= 0) {
            store(&values[parent * LANES], load(&values[parent * LANES]) + expected);
        } else {
            alignas(64) double each[LANES];
            store(each, expected);
            for (int lane = 0; lane < LANES; ++lane) values[leads[lane - 1 - parent]] += each[lane];
        }
        Lanes whole = none;
        for (int s = first; s < end; s += LANES) {
            const Lanes regret = max(none, load(&regrets[s]) + (load(&values[s]) - expected));
            store(&regrets[s], regret);
            whole = whole + regret;
        }
        const Lanes divisor = if_positive(whole, whole, one), uniform = all(1.0 * LANES / (end - first));
        for (int s = first; s < end; s += LANES)
            store(&strategies[s], if_positive(whole, load(&regrets[s]) / divisor, uniform));
    }
}

void follow(int player, double weight) {
    const Lanes times = all(weight);
    const int root = bases[player] * LANES;
    store(&sums[root], add_product(load(&sums[root]), times, load(&plans[root])));
    for (int family = families[player]; family < families[player + 1]; ++family) {
        const int parent = parents[family];
        alignas(64) double each[LANES];
        if (parent < 0)
            for (int lane = 0; lane < LANES; ++lane) each[lane] = plans[leads[lane - 1 - parent]];
        const Lanes reached = load(parent >= 0 ? &plans[parent * LANES] : each);
        for (int s = firsts[family] * LANES; s < ends[family] * LANES; s += LANES) {
            store(&sums[s], add_product(load(&sums[s]), times, load(&plans[s])));
            store(&plans[s], reached * load(&strategies[s]));
        }
    }
}

void begin() {
    const std::size_t count = bases.back() * LANES;
    for (Doubles* list : {&values, &regrets, &strategies, &plans, &sums}) list->assign(count, 0);
    for (int player = 0; player < 2; ++player) {
        plans[bases[player] * LANES] = 1;
        for (int family = families[player]; family < families[player + 1]; ++family)
            for (int row = firsts[family]; row < ends[family]; ++row)
                store(&strategies[row * LANES], all(1.0 / (ends[family] - firsts[family])));
        follow(player, 0);
    }
}

}  // namespace

int main(int, char** arguments) {
    for (Ints* list : {&bases, &families, &parents, &leads, &firsts, &ends, &columns, &others, &matrices}) read(*list);
    read(payoffs);
    for (Ints* list : {&bounds, &singles, &spans, &single_others}) read(*list);
    read(single_payoffs);
    const int iterations = std::atoi(arguments[2]);
    double fastest = 1e9;
    for (int run = std::atoi(arguments[1]); run > 0; --run) {
        begin();
        const auto begun = std::chrono::steady_clock::now();
        for (int t = 1; t <= iterations; ++t)
            for (int player = 0; player < 2; ++player) evaluate(player), update(player), follow(player, t);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
        fastest = std::min(fastest, seconds.count());
    }
    std::printf("%d %.17g %.9f\n", iterations, values[bases[0] * LANES], fastest);
}
