"""The forms of a page as a browser reads and sends them: for tests that fill in whatever a page asks."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

Attributes = dict[str, str | None]
Pairs = list[tuple[str, str]]

VOID: Final = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
TYPED: Final = frozenset({"text", "search", "number", "date", "password", "textarea", "tel", "email", "url"})
"""Controls into which somebody types; what is in all others is chosen, or not seen at all."""


@dataclass
class Control:
    """One control of a form.

    Attributes:
        kind: the type of an input, or ``select``, ``textarea``, ``button``.
        value: what it holds; of a select what is chosen, of a tick or a button what it sends.
        on: whether it is sent: ticked, or no tick at all.
        options: what a select offers.
    """

    name: str
    kind: str
    value: str = ""
    on: bool = True
    options: list[str] = field(default_factory=list)
    attributes: Attributes = field(default_factory=dict)


@dataclass
class Form:
    """One form of a page, with the controls that belong to it wherever they stand."""

    action: str
    method: str
    enctype: str
    controls: list[Control] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names of all that it sends, but for the buttons."""
        return list(dict.fromkeys(control.name for control in self.controls if control.kind != "button"))

    @property
    def buttons(self) -> list[Control]:
        return [control for control in self.controls if control.kind == "button"]

    def kinds(self, name: str) -> set[str]:
        return {control.kind for control in self.controls if control.name == name}

    def of(self, name: str) -> list[Control]:
        return [control for control in self.controls if control.name == name and control.kind != "button"]

    def sent(self, button: Control | None = None) -> Pairs:
        """Give what a browser sends when this button is pressed; files are left out."""
        return [
            (control.name, control.value)
            for control in self.controls
            if control.name and (control is button or (control.kind not in {"button", "file"} and control.on))
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.action} ({', '.join(self.names)})"


class Page(HTMLParser):
    """Reads the page that an address gave.

    Attributes:
        forms: its forms in order.
        alerts: what it says aloud of something wrong: at the top, or at a field.
    """

    def __init__(self, text: str, address: str) -> None:
        super().__init__()
        self.text = text
        self.forms: list[Form] = []
        self.alerts: list[str] = []
        self._address = address
        self._named: dict[str, Form] = {}
        self._form: Form | None = None
        self._waiting: list[tuple[str, Control]] = []
        self._open: list[tuple[str, bool]] = []
        self._select: Control | None = None
        self._option: Attributes | None = None
        self._chosen = False
        self._area: Control | None = None
        self._words = ""
        self.feed(text)
        self.close()
        for owner, control in self._waiting:
            if owner in self._named:
                self._named[owner].controls.append(control)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        aloud = given.get("role") == "alert" or "invalid-feedback" in (given.get("class") or "").split()
        if tag not in VOID:
            self._open.append((tag, aloud))
        if aloud:
            self.alerts.append("")
        match tag:
            case "form":
                self._start_form(given)
            case "input":
                kind = given.get("type") or "text"
                button = kind in {"submit", "image", "button", "reset"}
                ticked = kind not in {"checkbox", "radio"} or "checked" in given
                plain = "on" if kind in {"checkbox", "radio"} else ""
                self._keep(given, Control("", "button" if button else kind, given.get("value") or plain, ticked))
            case "button":
                if (given.get("type") or "submit") == "submit":
                    self._keep(given, Control("", "button", given.get("value") or ""))
            case "textarea":
                self._area = self._keep(given, Control("", "textarea"))
                self._words = ""
            case "select":
                self._select, self._chosen = self._keep(given, Control("", "select")), False
            case "option":
                self._finish_option()
                self._option, self._words = given, ""

    def handle_endtag(self, tag: str) -> None:
        if any(opened == tag for opened, _aloud in self._open):
            while self._open.pop()[0] != tag:
                pass
        match tag:
            case "form":
                self._form = None
            case "textarea" if self._area is not None:
                # A browser leaves out the line break that begins a text area.
                self._area.value, self._area = self._words.removeprefix("\n"), None
            case "option":
                self._finish_option()
            case "select" if self._select is not None:
                self._finish_option()
                if not self._chosen:
                    self._select.value = next(iter(self._select.options), "")
                self._select = None

    def handle_data(self, data: str) -> None:
        self._words += data
        if any(aloud for _tag, aloud in self._open) and data.strip():
            self.alerts[-1] = f"{self.alerts[-1]} {' '.join(data.split())}".strip()

    def _start_form(self, given: Attributes) -> None:
        action = given.get("action") or self._address
        enctype = given.get("enctype") or "application/x-www-form-urlencoded"
        self._form = Form(action.partition("#")[0] or self._address, (given.get("method") or "get").lower(), enctype)
        self.forms.append(self._form)
        if given.get("id"):
            self._named[given["id"] or ""] = self._form

    def _keep(self, given: Attributes, control: Control) -> Control:
        control.name, control.attributes = given.get("name") or "", given
        if "disabled" not in given:
            if given.get("form"):
                self._waiting.append((given["form"] or "", control))
            elif self._form is not None:
                self._form.controls.append(control)
        return control

    def _finish_option(self) -> None:
        if self._option is None or self._select is None:
            return
        value = self._option.get("value")
        value = " ".join(self._words.split()) if value is None else value
        if "disabled" not in self._option:
            self._select.options.append(value)
        if "selected" in self._option:
            self._select.value, self._chosen = value, True
        self._option = None


def forms_of(text: str, address: str) -> Iterator[Form]:
    """Give the forms that a page sends to this site."""
    yield from (form for form in Page(text, address).forms if form.method in {"get", "post"})
