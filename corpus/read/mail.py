"""Mail (.eml): its subject as title, who wrote when to whom, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser

from pincite.corpus.read.builder import Draft, TextBuilder, collapse
from pincite.corpus.read.failure import failure, shown
from pincite.corpus.read.html import add_fragment

HEADERS = ("From", "To", "Cc", "Date", "Subject")
# Mails inside mails, and parts inside parts, beyond which nothing is read.
DEPTH = 20
PARTS = 1000
HEADER_CHARS = 2000
NAME_CHARS = 100


def read_mail(data: bytes) -> Draft:
    """The draft of a mail: plain text where there is some, else its HTML; attached mails follow it.

    Other attachments are named, and not read.
    """
    try:
        message = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(data)
    except (MessageError, ValueError, LookupError, RecursionError) as error:
        raise failure("damaged", "the mail cannot be taken apart") from error
    builder = TextBuilder()
    subject = _header(message, "Subject")
    _append(builder, message, 0)
    return builder.finish(title=subject or None)


def _append(builder: TextBuilder, message: EmailMessage, depth: int) -> None:
    subject = _header(message, "Subject")
    if depth:
        builder.heading(depth, subject or _header(message, "From") or "Attached mail")
    lines = [f"{name}: {value}" for name in HEADERS if (value := _header(message, name))]
    builder.block("\n".join(lines))
    bodies: dict[str, list[str]] = {"plain": [], "html": []}
    inner: list[EmailMessage] = []
    attached: list[str] = []
    for part in _parts(message):
        if part.get_content_type() == "message/rfc822":
            inner += [one for one in part.iter_parts() if isinstance(one, EmailMessage)]
        elif part.get_content_disposition() == "attachment" or part.get_content_maintype() != "text":
            name = shown(part.get_filename() or part.get_content_type())
            builder.warnings.append(f"the attachment {name[:NAME_CHARS]} was not read")
            if part.get_filename():
                attached.append(name[:NAME_CHARS])
        elif part.get_content_subtype() in bodies:
            bodies[part.get_content_subtype()].append(_content(part))
    for text in bodies["plain"]:
        builder.block(text)
    if not any(text.strip() for text in bodies["plain"]):
        for markup in bodies["html"]:
            add_fragment(markup, builder, line=None)
    if attached:
        builder.block(f"Attachments: {', '.join(attached)}")
    for one in inner:
        if depth >= DEPTH:
            builder.warnings.append("mails inside mails go too deep; the inner ones were not read")
            return
        _append(builder, one, depth + 1)


def _parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """The leaves of a mail's own parts in order; attached mails are leaves."""
    todo: list[tuple[EmailMessage, int]] = [(message, 0)]
    count = 0
    while todo:
        part, depth = todo.pop()
        count += 1
        if count > PARTS:
            raise failure("too_large", f"the mail has more than {PARTS:,} parts")
        if part.get_content_maintype() == "multipart" and depth < DEPTH:
            children = [child for child in part.iter_parts() if isinstance(child, EmailMessage)]
            todo.extend((child, depth + 1) for child in reversed(children))
        else:
            yield part


def _content(part: EmailMessage) -> str:
    try:
        content = part.get_content()
    except (LookupError, ValueError, MessageError):
        # A character set that nobody knows, or base64 that is none.
        payload = part.get_payload(decode=True)
        content = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return str(content).replace("\r\n", "\n")


def _header(message: EmailMessage, name: str) -> str:
    try:
        value = message.get(name)
    except (ValueError, IndexError, MessageError):
        return ""
    return collapse(shown(str(value or "")))[:HEADER_CHARS]
