"""`pincite replay`: a recorded session run again, and where it goes another way."""

from __future__ import annotations

from functools import partial

import click

from pincite.agent.named_encoder import require_named_encoder
from pincite.agent.replay.divergence import ReplayReport
from pincite.agent.replay.failing import Failure
from pincite.agent.replay.fork import Changes, Fork, fork
from pincite.agent.replay.live_model import replay_live_model
from pincite.agent.replay.live_tools import replay_live_tools
from pincite.agent.replay.strict import replay as replay_strictly
from pincite.cli.answers import print_answer
from pincite.cli.forking import Sets, live_model, read_sets
from pincite.cli.options import Setup, command, reranker_option
from pincite.cli.replays import print_report
from pincite.cli.sessions import find_transcript
from pincite.cli.terminal import Page, note, print_json
from pincite.cli.tracing import tracing
from pincite.corpus.encoder import load_encoder
from pincite.errors import UsageError
from pincite.tools.reranker import chosen_reranker
from pincite.transcripts.reader import Recording, read


@command("replay")
@click.argument("recording", metavar="FILE|SESSION")
@click.option(
    "--live-tools", is_flag=True, help="The model's turns from the recording, search and index live."
)
@click.option(
    "--live-model", "with_model", is_flag=True, help="The tools' results from the recording, the model live."
)
@click.option("--fork-at", type=int, metavar="N", help="From the recording before event N, live after it.")
@click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="NAME=VALUE",
    help="In a fork: model=NAME, prompt.NAME=@FILE or budget.NAME=NUMBER (repeatable).",
)
@click.option(
    "--fail",
    "failing",
    multiple=True,
    metavar="LEG[@N]",
    help="Search live with this leg failing, every time or the Nth time it is tried (repeatable).",
)
@click.option("--model", help="The model that goes on live.")
@click.option("--base-url", help="Its OpenAI-compatible endpoint.")
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def replay(
    setup: Setup,
    *,
    recording: str,
    live_tools: bool,
    with_model: bool,
    fork_at: int | None,
    sets: tuple[str, ...],
    failing: tuple[str, ...],
) -> int:
    """Run a recorded session again and say where it differs.

    Without options everything comes from the recording: no network, no model and no index is needed.
    """
    changes = read_sets(sets)
    failures = tuple(map(Failure.parse, failing))
    _require_one_way(live_tools, with_model, fork_at, sets, failing)
    found = read(find_transcript(setup, recording))
    if fork_at is not None:
        return _print_fork(setup, _fork(setup, found, fork_at, changes, failures))
    load = partial(load_encoder, setup.settings.encoder, progress=note)
    if live_tools or failures:
        reranker = chosen_reranker(setup.settings.reranker, progress=note)
        index = setup.open_index()
        require_named_encoder(setup.settings.encoder, index)
        report = replay_live_tools(
            found, index, encoder=load, reranker=reranker, failures=failures, redact=setup.settings.redact
        )
    elif with_model:
        report = replay_live_model(found, live_model(setup, found, None))
    else:
        report = replay_strictly(found)
    return _print(setup, report)


def _require_one_way(
    live_tools: bool, with_model: bool, fork_at: int | None, sets: tuple[str, ...], failing: tuple[str, ...]
) -> None:
    if sum((live_tools, with_model, fork_at is not None)) > 1:
        raise UsageError("--live-tools, --live-model and --fork-at are three ways, choose one")
    if sets and fork_at is None:
        raise UsageError("--set changes a fork", hint="add --fork-at N")
    if failing and with_model:
        raise UsageError("--fail needs live tools", hint="leave out --live-model")


def _fork(setup: Setup, recording: Recording, at: int, sets: Sets, failures: tuple[Failure, ...]) -> Fork:
    load = partial(load_encoder, setup.settings.encoder, progress=note)
    index = setup.open_index()
    require_named_encoder(setup.settings.encoder, index)
    return fork(
        recording,
        at,
        live_model(setup, recording, sets.model),
        index,
        changed=Changes(sets.prompts, sets.budgets, failures),
        encoder=load,
        reranker=chosen_reranker(setup.settings.reranker, progress=note),
        redact=setup.settings.redact,
        tracing=tracing(),
    )


def _print(setup: Setup, report: ReplayReport) -> int:
    if setup.as_json:
        print_json(report.model_dump(mode="json"))
    else:
        print_report(Page(), report)
    return report.exit_code


def _print_fork(setup: Setup, child: Fork) -> int:
    answers = child.answers
    if setup.as_json:
        dumped = [answer.model_dump(mode="json") for answer in answers]
        print_json({"session": child.session, "transcript": child.transcript, "answers": dumped})
    else:
        page = Page()
        for answer in answers:
            print_answer(page, answer)
        page.line(f"the fork is session {child.session}; pincite compare shows what it changed")
    return max((answer.exit_code for answer in answers), default=0)
