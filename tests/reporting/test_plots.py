"""Plots by matplotlib."""

import sys

import matplotlib as mpl
import numpy as np
import pytest

import labelnoise as ln

mpl.use("Agg")

KINDS = ["transition", "intervals", "purity"]


@pytest.fixture(autouse=True)
def _close_figures():
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


@pytest.mark.parametrize("kind", KINDS)
def test_plots_are_drawn(est, kind):
    import matplotlib.pyplot as plt

    axes = np.atleast_1d(est.plot(kind)).ravel()
    assert axes[0].has_data()
    if kind == "transition":
        assert len(axes[0].texts) == 9
        assert axes[0].get_xlabel() == "observed"
        _, own = plt.subplots()
        assert est.plot(ax=own) is own


def test_a_plot_of_clean_data_has_no_rate(est, no_clear_sign):
    titles = [one.plot().get_title() for one in (est, no_clear_sign)]
    assert [f"{est.noise_rate:.1%}" in titles[0], "No clear sign" in titles[1]] == [True, True]


@pytest.fixture(scope="module")
def named(task):
    X, _, noisy, _ = task
    return ln.estimate(X, np.array([r"$\nope$", "b$", "c"])[noisy], n_draws=20)


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_classes_are_not_formulas(named, kind):
    figure = np.atleast_1d(named.plot(kind)).ravel()[0].figure
    figure.canvas.draw()  # fails for a broken formula
    texts = [text.get_text() for text in figure.findobj(mpl.text.Text)]
    assert {r"\$\nope\$", r"b\$", "c"} <= set(texts)


def test_plots_that_cannot_be_drawn_are_refused(est, monkeypatch, tmp_path):
    with pytest.raises(ln.LabelNoiseError, match="pie"):
        est.plot("pie")
    est.save(tmp_path / "e.json")
    with pytest.raises(ln.LabelNoiseError):
        ln.NoiseEstimate.load(tmp_path / "e.json").plot("purity")
    monkeypatch.delitem(sys.modules, "labelnoise.reporting.plots_matplotlib", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ln.LabelNoiseError, match=r"pip install 'labelnoise\[plot\]'"):
        est.plot()
