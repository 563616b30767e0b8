import pytest

import inifile
from inifile import SettingsError

SAMPLE = """\
# where things are
Root = /srv

[paths]
data = ${.root}/data
; older machines
cache = ${data}/cache
[server]
hosts = alpha, beta
   # a remark among the lines
   gamma,,
debug = Off
"""


@pytest.fixture
def settings():
    return inifile.parse(SAMPLE)


def test_parse(settings):
    assert settings == {
        "": {"root": "/srv"},
        "paths": {"data": "${.root}/data", "cache": "${data}/cache"},
        "server": {"hosts": "alpha, beta\ngamma,,", "debug": "Off"},
    }
    assert list(settings) == ["", "paths", "server"]


def test_value_may_hold_an_equals_sign_or_be_empty():
    assert inifile.parse("query = a=b\nempty =") == {"": {"query": "a=b", "empty": ""}}


def test_empty_text_and_empty_section():
    assert inifile.parse("") == {}
    assert inifile.parse("[ nothing ]\n") == {"nothing": {}}


@pytest.mark.parametrize(
    "text, message",
    [
        ("a = 1\na = 2", "line 2: key a is given twice"),
        ("A = 1\na = 2", "line 2: key a is given twice"),
        ("[x]\n[y]\n[x]", "line 3: section x is given twice"),
        ("[x", "line 1: bad section heading"),
        ("[]", "line 1: bad section heading"),
        ("\njust words", "line 2: expected key = value"),
        ("= 3", "line 1: expected key = value"),
        ("  a = 1", "line 1: nothing to continue"),
        ("a = 1\n\n  more", "line 3: nothing to continue"),
        ("a = 1\n[x]\n  more", "line 3: nothing to continue"),
    ],
)
def test_bad_lines(text, message):
    with pytest.raises(SettingsError) as caught:
        inifile.parse(text)
    assert str(caught.value) == message


def test_same_key_in_two_sections():
    assert inifile.parse("[x]\na = 1\n[y]\na = 2") == {"x": {"a": "1"}, "y": {"a": "2"}}


def test_resolve(settings):
    assert inifile.resolve(settings, "paths", "Cache") == "/srv/data/cache"
    assert inifile.resolve(settings, "server", "debug") == "Off"


def test_section_names_may_hold_dots():
    settings = {"a.b": {"c": "1"}, "x": {"y": "<${a.b.c}${a.b.c}>"}}
    assert inifile.resolve(settings, "x", "y") == "<11>"


def test_circular_reference():
    settings = inifile.parse("a = ${s.b}\n[s]\nb = ${.a}")
    with pytest.raises(SettingsError) as caught:
        inifile.resolve(settings, "", "a")
    assert str(caught.value) == "circular reference: a -> s.b -> a"


@pytest.mark.parametrize("section, key, name", [("paths", "none", "paths.none"), ("none", "data", "none.data")])
def test_missing(settings, section, key, name):
    with pytest.raises(SettingsError, match="^no such setting: " + name + "$"):
        inifile.resolve(settings, section, key)


@pytest.mark.parametrize(
    "word, expected",
    [("yes", True), ("TRUE", True), ("on", True), ("1", True), ("no", False), ("False", False), ("off", False), ("0", False)],
)
def test_get_bool(word, expected):
    assert inifile.get_bool({"s": {"k": word}}, "s", "k") is expected


def test_get_bool_refuses_other_words():
    with pytest.raises(SettingsError, match="not a yes or no: maybe"):
        inifile.get_bool({"s": {"k": "Maybe"}}, "s", "k")


def test_get_list(settings):
    assert inifile.get_list(settings, "server", "hosts") == ["alpha", "beta", "gamma"]


def test_overlay():
    base = {"a": {"x": "1", "y": "2"}}
    top = {"a": {"y": "3"}, "b": {"z": "4"}}
    assert inifile.overlay(base, top) == {"a": {"x": "1", "y": "3"}, "b": {"z": "4"}}
    assert base == {"a": {"x": "1", "y": "2"}}
    assert top == {"a": {"y": "3"}, "b": {"z": "4"}}


def test_dump_round_trip(settings):
    text = inifile.dump(settings)
    assert inifile.parse(text) == settings
    assert "hosts = alpha, beta\n    gamma,,\n" in text


def test_dump_puts_the_unnamed_section_first():
    assert inifile.dump({"z": {"k": "1"}, "a": {}, "": {"top": "2"}}) == "top = 2\n\n[z]\nk = 1\n\n[a]\n"
