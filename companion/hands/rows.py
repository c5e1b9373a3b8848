"""The three-card game's printed tables: every deck row with its categories, weak to strong.

Source: the sheet's tables for playing cards (lines 133-144), mahjong tiles (221-229) and TESCA (249-257).
"""

from __future__ import annotations

_PRINTED = """
52D3    CLF P1 RN2 FL D2 ST RaP K3 SF D3
52D2    CLF P1 RN2 FL ST D2 RaP K3 SF
52D1    CLF P1 RN2 FL ST RaP K3 SF
48D3    CLF P1 RN2 FL D2 ST RaP K3 SF D3
48D2    CLF P1 RN2 FL ST D2 RaP K3 SF
48D1    CLF P1 RN2 FL ST RaP K3 SF
40D3    CLF P1 RN2 ST D2 FL RaP K3 SF D3
40D2    CLF P1 RN2 ST FL D2 RaP K3 SF
40D1    CLF P1 RN2 ST FL RaP K3 SF
36D3    CLF P1 RN2 ST FL D2 RaP K3 SF D3
36D2    CLF P1 RN2 ST FL D2 RaP K3 SF
36D1    CLF P1 RN2 ST FL RaP K3 SF

M9D4    HF P1 MW RN2 D2 FL ST RaP K3 SF CFL D3
M9D3    HF P1 MW RN2 D2 FL ST RaP K3 SF CFL D3
M9D2    HF P1 MW RN2 D2 FL ST RaP K3 SF CFL
M9D1    HF P1 MW RN2 FL ST RaP SF K3 CFL
M9D4C3  HF P1 MW RN2 D2 FL ST RaP K3 SF CFL D3
M9D3C2  HF P1 MW RN2 D2 FL ST RaP K3 SF CFL D3
M7D3    HF P1 MW RN2 D2 ST FL RaP K3 SF CFL D3
M7D2    HF P1 MW RN2 D2 ST FL RaP K3 SF CFL
M7D1    HF P1 MW RN2 ST FL RaP SF K3 CFL

T52D3   HF P1 MW RN2 FL D2 ST RaP K3 SF BoW D3
T52D2   HF P1 MW RN2 FL ST D2 RaP K3 SF BoW
T52D1   HF P1 MW RN2 FL ST RaP K3 SF BoW
T44D3   HF P1 MW RN2 ST FL D2 RaP K3 SF BoW D3
T44D2   HF P1 MW RN2 ST FL D2 RaP K3 SF BoW
T44D1   HF P1 MW RN2 ST FL RaP K3 SF BoW
T36D3   HF P1 MW RN2 ST D2 FL RaP K3 SF BoW D3
T36D2   HF P1 MW RN2 ST FL D2 RaP K3 SF BoW
T36D1   HF P1 MW RN2 ST FL RaP K3 SF BoW
"""

ROWS: dict[str, tuple[str, ...]] = {
    name: tuple(categories) for name, *categories in (line.split() for line in _PRINTED.splitlines() if line)
}
"""Deck row -> category codes, weak to strong."""
