"""Label Studio: label issues as tasks to import, and decisions from exported annotations (JSON)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from labelnoise._version import __version__
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Names of the Choices and of the object that they belong to, in the labeling configuration.
FROM_NAME, TO_NAME = "label", "text"


def tasks(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """One task for each row: its columns as data, the suggested label as a prediction."""
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [
        {"data": row, "predictions": [_prediction(row["p_wrong"], str(row["suggested"]))]}
        for row in rows
    ]


def _prediction(score: float, label: str) -> dict[str, Any]:
    choice = {
        "from_name": FROM_NAME,
        "to_name": TO_NAME,
        "type": "choices",
        "value": {"choices": [label]},
    }
    return {"model_version": f"labelnoise {__version__}", "score": score, "result": [choice]}


def reviewed(text: str, column: str) -> dict[str, list[Any]]:
    """Columns `row`, `given` and the reviewed label of annotated tasks, None if there is none."""
    try:
        document = json.loads(text)
        if not isinstance(document, list):
            raise TypeError("not a list of tasks")
        return {
            "row": [task["data"]["row"] for task in document],
            "given": [task["data"]["given"] for task in document],
            column: [_choice(task) for task in document],
        }
    except LabelNoiseError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        reason = f"{type(error).__name__} {error}"
        raise LabelNoiseError("not_label_studio_tasks", reason=reason) from error


def _choice(task: Mapping[str, Any]) -> Any:
    """The choice that all annotations agree on, except cancelled ones."""
    done = [a for a in task.get("annotations") or () if not a.get("was_cancelled")]
    results = [result for annotation in done for result in annotation["result"]]
    ours = [r["value"] for r in results if r["from_name"] == FROM_NAME and r["type"] == "choices"]
    choices = list(dict.fromkeys(choice for value in ours for choice in value["choices"]))
    if not choices:
        return None
    if len(choices) > 1:
        raise LabelNoiseError("task_with_several_labels", row=task["data"]["row"], labels=choices)
    return choices[0]
