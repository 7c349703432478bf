import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

import labelnoise as ln

CLASSIFIERS = [
    ln.NoiseCorrectedClassifier(LogisticRegression()),
    ln.NoiseCorrectedClassifier(GaussianNB(), method="relabel"),
    ln.NoiseCorrectedClassifier(LogisticRegression(), method="reweight"),
]


@parametrize_with_checks(CLASSIFIERS)
@pytest.mark.filterwarnings("ignore::labelnoise.LabelNoiseWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_contract(estimator, check):
    check(estimator)
