"""Every exception pincite raises on purpose, in one tree.

    PinciteError                 exit code 4 unless a class below says otherwise
    ├── UsageError               2  a flag, a value or a question that cannot be used
    ├── NothingUsableError       3  no index, an empty or unreadable one, an unknown document
    │   ├── NoIndexError
    │   ├── IndexLockedError        another process is writing
    │   ├── EncoderMismatchError    the index was made with another encoder
    │   └── AmbiguousError          a name that several documents carry
    ├── ReadError                3  one source file that cannot be read; sync reports it and goes on
    └── ServiceError             4  a model or another service failed

Tools never let these reach the loop: a tool's caller gets a plain error with the same four fields.
"""

from __future__ import annotations

from typing import ClassVar


class PinciteError(Exception):
    """A failure a user can meet: what happened, and what to do about it.

    `code` is stable and machine readable, `message` is one line, `hint` says what to do, `near` holds
    names close to the one that was not found. `told` is the message for those who may not know where
    things lie on this machine: it is given where the message names a path.
    """

    exit_code: ClassVar[int] = 4
    default_code: ClassVar[str] = "error"
    default_told: ClassVar[str] = ""

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        hint: str = "",
        near: tuple[str, ...] = (),
        told: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code or self.default_code
        self.message = message
        self.hint = hint
        self.near = near
        self.told = told or self.default_told or message

    def to_json(self) -> dict[str, object]:
        """{code, message, hint, near}, the shape of every error in JSON output."""
        return {"code": self.code, "message": self.message, "hint": self.hint, "near": list(self.near)}


class UsageError(PinciteError):
    """A flag, a value or a question that cannot be used as it stands."""

    exit_code = 2
    default_code = "bad_arguments"


class NothingUsableError(PinciteError):
    """There is nothing to search or read: no index, an empty one, an unknown document."""

    exit_code = 3
    default_code = "nothing_usable"


class NoIndexError(NothingUsableError):
    """The folder holds no index."""

    default_code = "no_index"


class IndexLockedError(NothingUsableError):
    """Another process is writing this index."""

    default_code = "index_locked"


class EncoderMismatchError(NothingUsableError):
    """The index was made with another encoder than the one at hand."""

    default_code = "encoder_mismatch"


class AmbiguousError(NothingUsableError):
    """Several documents carry this name; `near` holds their ids."""

    default_code = "ambiguous"


class ReadError(PinciteError):
    """One source file that cannot be read; `code` is one of `READ_CODES`."""

    exit_code = 3
    default_code = "unreadable"


READ_CODES = (
    "empty",
    "not_text",
    "unsupported_format",
    "damaged",
    "encrypted",
    "no_text_layer",
    "too_large",
    "unsafe_xml",
    "unreadable",
    "outside_root",
)


class ServiceError(PinciteError):
    """A model endpoint or another service failed and retries are spent."""

    default_code = "service_error"
