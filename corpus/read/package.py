"""Zip packages (DOCX and relatives): their members, without unpacking what is out of proportion."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib

from pincite.corpus.read.failure import failure
from pincite.corpus.read.xml_safe import Element, local_name, parse_xml, refuse_doctype
from pincite.corpus.reasons import in_words

MEMBERS = 10_000
TOTAL_BYTES = 512 * 1024 * 1024
PART_BYTES = 128 * 1024 * 1024
# Word files shrink to a tenth, monotonous ones to a hundredth; only made-up data goes far beyond.
RATIO = 300
RATIO_FROM = 4 * 1024 * 1024
KINDS = (("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx"), ("META-INF/container.xml", "epub"))
OTHER_KINDS = (
    ("content.xml", "an OpenDocument file"),
    ("visio/", "a Visio drawing"),
)


class Package:
    """The parts of an Office Open XML package. Everything raises `ReadError` and nothing else."""

    def __init__(self, data: bytes) -> None:
        """Open a package: `damaged`, `encrypted`, or `too_large` by what its directory states."""
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            members = self._zip.infolist()
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeDecodeError) as error:
            why = in_words(error, "it is no whole zip archive")
            raise failure("damaged", f"the archive cannot be opened: {why}") from error
        self._members = {member.filename: member for member in members}
        total = sum(member.file_size for member in members)
        if len(members) > MEMBERS or total > TOTAL_BYTES:
            raise failure("too_large", f"the archive unpacks to {total:,} bytes in {len(members):,} files")
        for member in members:
            if member.file_size > max(RATIO_FROM, RATIO * member.compress_size):
                raise failure("too_large", f"a part of the archive unpacks to {member.file_size:,} bytes")
        if any(member.flag_bits & 1 for member in members):
            raise failure("encrypted", "the archive is protected by a password")

    def kind(self) -> str:
        """ "docx", "xlsx", "pptx", "epub", or "other" by the parts that are there."""
        for start, kind in KINDS:
            if any(name.startswith(start) for name in self._members):
                return kind
        return "other"

    def names(self) -> list[str]:
        """The names of all parts."""
        return list(self._members)

    def other_kind(self) -> str:
        """What an archive that is no Word document is, in words."""
        for start, what in OTHER_KINDS:
            if any(name.startswith(start) for name in self._members):
                return what
        return "a zip archive"

    def part(self, name: str, *, doctype: bool = False) -> Element | None:
        """The root element of a part, None when there is no such part. `doctype` is as for `parse_xml`."""
        data = self.data(name)
        return parse_xml(data, doctype=doctype) if data is not None else None

    def refuse_entities(self) -> None:
        """Raise `unsafe_xml` when a part has a document type: libraries may not look for one."""
        for name in self._members:
            # A part is XML by what refers to it, whatever its name; pictures and the settings of printers,
            # which name a document type, are so too.
            if "/media/" not in name:
                plain = not name.endswith((".xml", ".rels", ".vml"))
                refuse_doctype(self.data(name) or b"", doctype=plain)

    def data(self, name: str) -> bytes | None:
        """The bytes of a part, None when there is no such part."""
        member = self._members.get(name)
        if member is None:
            return None
        try:
            with self._zip.open(member) as file:
                data = file.read(PART_BYTES + 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            NotImplementedError,
            ValueError,
            RuntimeError,
        ) as error:
            why = in_words(error)
            raise failure("damaged", f"a part of the archive cannot be unpacked: {why}") from error
        if len(data) > PART_BYTES:
            raise failure("too_large", f"a part of the archive has more than {PART_BYTES:,} bytes")
        return data

    def related(self, source: str, kind: str) -> str | None:
        """The name of the part that `source` ("" for the package) is related to, by the end of the type."""
        folder, base = posixpath.split(source)
        rels = self.part(posixpath.join(folder, "_rels", f"{base}.rels"))
        for rel in rels if rels is not None else ():
            inside = local_name(rel) == "Relationship" and rel.get("TargetMode") != "External"
            if inside and (rel.get("Type") or "").rpartition("/")[2] == kind:
                target = rel.get("Target") or ""
                return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        return None
