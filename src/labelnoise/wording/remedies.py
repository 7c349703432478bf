"""Messages about corrected training and corrected scores."""

from labelnoise.wording.message import Message

OTHER_CAUSE = "T does not describe the errors of these labels, or the model was trained on them"

MESSAGES = {
    # The noise.
    "given_matrix": Message("label errors follow the given matrix"),
    "labels_do_not_fit_matrix": Message(
        "the given noise does not fit the labels: no frequencies of the true classes lead "
        "to these label frequencies, even allowing for chance",
        "check that T belongs to these labels, with rows for true classes",
    ),
    "noise_not_usable": Message(
        "noise must be a NoiseEstimate, a TransitionMatrix or an array of numbers, got {given}",
        "pass labelnoise.estimate(X, y), NoiseEstimate.load(path), or "
        "TransitionMatrix(table.to_numpy(), classes=[...]); to train, also 'estimate' or an "
        "estimator such as HOCEstimator()",
    ),
    "matrix_without_class_names": Message(
        "noise is a plain array, which does not name its {n_classes} classes",
        "name all classes, in the order of its rows: TransitionMatrix(noise, classes=[...])",
        optional={"classes": ", and these labels occur: {classes}"},
    ),
    # Training.
    "one_class_after_correction": Message(
        "after correction with this T, all rows belong to class {label!r}, so there is nothing to "
        "learn",
        "check that T belongs to these labels, with rows for true classes",
    ),
    "corrected_loss_not_converged": Message(
        "the corrected loss did not converge",
        "scale the features, or lower C= of the logistic regression",
    ),
    "corrected_loss_negative": Message(
        "the corrected loss on the training rows is {loss:.3g}, but no loss on clean labels is "
        "negative: the model fits the errors in the labels",
        "use method='forward', or lower C= of the logistic regression",
    ),
    # Scores.
    "score_of_several_numbers": Message(
        "{metric} is {n_values} numbers, not one",
        "use .value, or, for one number, pass average='macro' (precision, recall, f1) or another "
        "metric",
    ),
    "class_share_negative": Message(
        "the corrected share of class {classes} is negative, so there is no score for it, nor for "
        "a mean that includes it: there are too few rows to tell whether any truly belong to it, "
        f"or {OTHER_CAUSE}",
        "score more rows, or leave the class out of T",
    ),
    "scored_labels_do_not_fit": Message(
        f"labels and predictions are inconsistent with this T: {OTHER_CAUSE}"
    ),
    "values_outside_range": Message(
        "{n} of {n_values} values are outside the range of the metric (the worst is {worst:.6g}): "
        "this can happen by chance with few rows; otherwise T does not describe the label errors"
    ),
    "class_never_predicted": Message(
        "no row is predicted as {classes}: the {metric} is 0 by convention, which the interval of "
        "a mean treats as known"
    ),
    "class_without_scored_rows": Message(
        "there are no rows of class {classes}: it has no {metric}, and averages leave it out"
    ),
    "mean_of_small_classes": Message(
        "the {metric} of {classes} is based on fewer than {least} rows and counts as much as the "
        "others: the mean is inaccurate, and its interval may be too narrow",
        "score more rows, or pass {average=:'weighted'}",
    ),
    "noise_without_draws": Message(
        "the estimate by {method!r} has no draws, so the interval treats T as known and is too "
        "narrow",
        "estimate the noise with {method=:'rank-gated'}",
    ),
    "score_from_unreliable_noise": Message(
        "the interval is only as reliable as this estimate of T: {verdict}, because {reasons}"
    ),
}
