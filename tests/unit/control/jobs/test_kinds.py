import re
from pathlib import Path

import pytest

from boathouse.cli.job_files import job_text, read_jobs
from boathouse.control.jobs.kinds import checked
from boathouse.control.jobs.schemas import Definition

DOCUMENT = Path(__file__).parents[4] / "docs" / "control-plane.md"
EXAMPLES = {
    example.split()[1]: example
    for example in re.findall(r"```yaml\n(job:.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_job_in_the_documents_can_be_used_and_written_again(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    (tmp_path / "job.yaml").write_text(example)
    (job,) = read_jobs([tmp_path])
    definition = checked(Definition.model_validate(job.definition)).model_dump(mode="json")
    (tmp_path / "job.yaml").write_text(job_text(job.name, definition))
    (again,) = read_jobs([tmp_path])
    assert checked(Definition.model_validate(again.definition)).model_dump(mode="json") == definition
