"""What came of a click is said without moving the page, but for what somebody has to act on."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def script(in_dialog: bool = False) -> None:
    import streamlit as st

    from ui.shared import notices

    notices.draw(in_dialog=in_dialog)
    st.button("Save", on_click=notices.say, args=("“a*b*” is saved.",))
    st.button("Fail", on_click=notices.say, args=("It is *not* saved.", "bad"))


def test_what_went_well_is_said_over_the_page_once() -> None:
    page = AppTest.from_function(script).run()
    page.button[0].click().run()
    [toast] = page.toast
    assert toast.value == "“a\\*b\\*” is saved\\." and not page.success and not page.error
    assert not page.run().toast


def test_what_went_wrong_stands_in_the_page() -> None:
    page = AppTest.from_function(script).run()
    page.button[1].click().run()
    [error] = page.error
    assert error.value == "It is \\*not\\* saved\\." and not page.toast


def test_in_a_dialog_it_is_said_within() -> None:
    page = AppTest.from_function(script, kwargs={"in_dialog": True}).run()
    page.button[0].click().run()
    assert len(page.success) == 1 and not page.toast
