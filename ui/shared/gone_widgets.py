"""Widgets that are drawn no more: Streamlit keeps their callbacks for as long as the page stays open, with all that these hold.

Each turn of a chat has half a dozen of its own, and who asks all day has hundreds of turns.
"""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX

DRAWN = "widgets_drawn"  # in the session: the ids of those that were there when the page was drawn last


def forget_gone_widgets() -> None:
    """To be called once all of the page is drawn: a run that is stopped before has drawn only some of its widgets.

    Those that were there the time before are kept once more, for a click that is on its way.
    """
    if (context := get_script_run_ctx()) is None:
        return
    drawn = context.shared.widget_ids_this_run.snapshot()
    before = st.session_state.get(DRAWN, drawn)
    with context.session_state.query_params():  # which holds the lock of the session
        _forget_all_but(drawn | before, context.session_state._state)
    st.session_state[DRAWN] = drawn


def _forget_all_but(drawn: Collection[str], state: SessionState) -> None:
    declared, keys = state._new_widget_state.widget_metadata, state._key_id_mapper
    gone = [id_ for id_ in declared if _element(id_) not in drawn and id_ not in state._query_param_bound_widget_ids]
    for id_ in gone:
        del declared[id_]
        for values in (state._old_state, state._new_widget_state.states):  # Streamlit drops those of an element by itself
            values.pop(id_, None)
        key = keys._id_key_mapping.pop(id_, None)
        if key is not None and keys._key_id_mapping.get(key) == id_:
            del keys._key_id_mapping[key]


def _element(id_: str) -> str:
    """What is drawn: a component has a second widget for its events, under the id of the component with more around it."""
    around = f"{STREAMLIT_INTERNAL_KEY_PREFIX}_"
    return id_.removeprefix(around).rpartition("__")[0] if id_.startswith(around) else id_
