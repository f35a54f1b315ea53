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


def long_page(has_place: bool = True) -> None:
    import streamlit as st

    from tree.store.database import StoreError
    from ui.shared import notices

    def fail() -> None:
        raise StoreError("It cannot be saved.")

    notices.draw()
    st.markdown("What stands above")
    st.button("Other")
    st.button("Save", on_click=notices.on_click, args=(fail,), kwargs={"at": "save"})

    def part() -> None:
        if has_place:
            notices.draw_at("save")
        st.button("Again", on_click=notices.on_click, args=(str,), key="again")

    st.fragment(part)()
    st.markdown("What stands below")


def drawn(page: AppTest) -> list[str]:
    """What is read from top to bottom."""
    return [
        str(one.value if one.type != "button" else one.label) for one in page.main if one.type in ("markdown", "error", "button")
    ]


def test_what_went_wrong_at_a_place_stands_there_until_the_next_click() -> None:
    page = AppTest.from_function(long_page).run()
    page.button[1].click().run()
    assert drawn(page) == ["What stands above", "Other", "Save", "It cannot be saved\\.", "Again", "What stands below"]
    page.button[0].click().run()
    assert not page.error


def test_what_went_wrong_at_a_place_that_is_gone_stands_at_the_top_of_the_next_page() -> None:
    page = AppTest.from_function(long_page, kwargs={"has_place": False}).run()
    page.button[1].click().run()
    assert not page.error
    page.run()
    assert drawn(page)[0] == "It cannot be saved\\."
    assert not page.run().error


def test_a_click_that_goes_well_takes_away_what_went_wrong_before() -> None:
    page = AppTest.from_function(long_page).run()
    page.button[1].click().run()
    page.button(key="again").click().run()
    assert not page.error
