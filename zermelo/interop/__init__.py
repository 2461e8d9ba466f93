"""Games for the algorithms of others: OpenSpiel, PettingZoo, Gymnasium, Gambit. Each module needs its library, which an
extra installs, and is imported by itself: ``import zermelo.interop.pettingzoo``."""
