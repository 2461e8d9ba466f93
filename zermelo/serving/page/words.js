// Written by `python -m tools.page_words`.
export const WORDS = {
  keyword: new Set(["action", "all", "as", "at", "best", "by", "chance", "claim", "common_payoff", "constant_sum", "count", "define", "deterministic", "discount", "draw", "drawn", "earn", "else", "end", "endless", "ensuring", "equilibrium", "estimate", "expect", "feature", "first", "for", "from", "game", "go", "hidden", "if", "illegal", "information_sets", "knows", "knows_value", "language", "last", "layout", "legend", "let", "match", "max", "min", "move", "moves", "never", "next", "no", "of", "order", "other", "otherwise", "outcome", "param", "payoff", "perfect_information", "phase", "play", "players", "plays", "positions", "preferring", "private", "prob", "public", "reach", "reachable", "require", "reveal", "secret", "seen", "setup", "some", "start", "sum", "symmetric", "table", "tell", "terminates", "test", "that", "then", "to", "together", "tree", "turn", "type", "unsettled", "until", "value", "var", "weight", "weighted", "where", "while", "win", "with", "within", "zero_sum"]),
  operator: new Set(["and", "in", "is", "not", "or"]),
  constant: new Set(["false", "none", "true"]),
  type: new Set(["edges", "graph", "grid", "hex", "ring", "set"]),
}
