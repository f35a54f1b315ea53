"""The control interface: what tests and demonstrations do to a site, as JSON below /simulator."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from jira_simulator.faults import Fault
from jira_simulator.random_activity import RandomActivity
from jira_simulator.sample_loader import load_script
from jira_simulator.scenario import ScenarioPlayer
from jira_simulator.site import Site
from jira_simulator.steps import Step, StepError, perform
from jira_simulator.webhook_sender import WebhookFault, shown

Action = Callable[[Site, Any], Any]


def control_routes(site: Site) -> list[BaseRoute]:
    return [
        Route(place, _endpoint(site, action), methods=[method])
        for (method, path), action in ACTIONS.items()
        for place in ([f"/simulator/{path}"] if path else ["/simulator", "/simulator/"])
    ]


def _endpoint(site: Site, action: Action) -> Callable[[Request], Any]:
    async def answer(request: Request) -> JSONResponse:
        try:
            body = await request.json() if await request.body() else dict(request.query_params)
            with site.lock:
                return JSONResponse({"ok": True, "result": action(site, body)})
        except (StepError, LookupError, ValueError, TypeError) as error:
            return JSONResponse({"ok": False, "error": str(error)}, 400)

    return answer


def overview(site: Site, body: Any) -> Any:
    return {
        "personality": site.personality,
        "address": site.url + site.context,
        "clock": site.clock.now().isoformat(),
        "speed": site.clock.speed,
        "projects": {each.key: sum(t.project == each.id for t in site.tickets.values()) for each in site.projects.values()},
        "index lag": site.index.lag,
        "faults": len(site.faults.all),
        "requests": len(site.log),
        "calls": [f"{method} /simulator/{path}".rstrip("/") for method, path in ACTIONS],
    }


def do(site: Site, body: Any) -> Any:
    """One step, or a list of steps: {"do": "comment", "ticket": "GWY-1", "text": "..."}."""
    return [perform(site, each) for each in body] if isinstance(body, list) else perform(site, body)


def between_pages(site: Site, body: Any) -> Any:
    """{"after": 1, "steps": [...]}: they happen when the page after that one is asked for."""
    steps = body["steps"]
    site.page_hooks.after_page(int(body["after"]), lambda: [perform(site, each) for each in steps])


def clock(site: Site, body: Any) -> Any:
    """{"advance": seconds}, {"set": time}, {"speed": n}, {"skew": seconds}; without any: what time it is."""
    if "speed" in body:
        site.clock.speed = float(body["speed"])
    if "skew" in body:
        site.clock.skew = dt.timedelta(seconds=float(body["skew"]))
    if "set" in body:
        site.clock.set(dt.datetime.fromisoformat(body["set"]))
    if "advance" in body:
        site.clock.advance(float(body["advance"]))
    return {"now": site.clock.now().isoformat(), "speed": site.clock.speed}


def list_faults(site: Site, body: Any) -> Any:
    return [each.as_json() for each in site.faults.all]


def set_fault(site: Site, body: Any) -> Any:
    return [site.faults.set(Fault.from_json(each)).as_json() for each in (body if isinstance(body, list) else [body])]


def clear_faults(site: Site, body: Any) -> Any:
    site.faults.clear(body.get("name"))
    if "name" not in body:
        site.webhooks.faults.clear()


def log(site: Site, body: Any) -> Any:
    """The requests so far; ?since=n leaves out the first n."""
    return [each.as_json() for each in site.log[int(body.get("since", 0)) :]]


def clear_log(site: Site, body: Any) -> Any:
    site.log.clear()


def list_webhooks(site: Site, body: Any) -> Any:
    return [shown(each) for each in site.webhooks.hooks.values()]


def add_webhook(site: Site, body: Any) -> Any:
    return shown(site.webhooks.register(**body))


def remove_webhook(site: Site, body: Any) -> Any:
    site.webhooks.unregister(body["id"])


def set_webhook_fault(site: Site, body: Any) -> Any:
    site.webhooks.faults.append(WebhookFault.from_json(body))


def sent_webhooks(site: Site, body: Any) -> Any:
    return [
        {"at": each.at.isoformat(), "url": each.url, "event": each.event, "identifier": each.identifier, "attempt": each.attempt,
         "status": each.status}
        for each in site.webhooks.sent
    ]  # fmt: skip


def play(site: Site, body: Any) -> Any:
    """{"speed": 240}: plays the sample's day, or the "steps" given (each with "at"); {"now": true} begins it at once."""
    if "steps" in body:
        steps: list[Step] = [{**each, "at": dt.datetime.fromisoformat(each["at"])} for each in body["steps"]]
    elif site.scenario_folder is None:
        raise ValueError("No project with a scenario was loaded; give the steps.")
    else:
        steps = load_script(site.scenario_folder)
    if body.get("now") and steps:
        late = site.clock.true() - steps[0]["at"]
        steps = [{**each, "at": each["at"] + late} for each in steps]
    site.players.append(ScenarioPlayer(site, steps))
    site.players[-1].start()
    if "speed" in body:
        site.clock.speed = float(body["speed"])
    return {"steps": len(steps)}


def improvise(site: Site, body: Any) -> Any:
    """{"seed": 1, "count": 50, "seconds": 60}: things happen at random, the same for the same seed and state."""
    return RandomActivity(site, int(body.get("seed", 0))).play(int(body.get("count", 1)), float(body.get("seconds", 60)))


def played(site: Site, body: Any) -> Any:
    return [{"steps": len(each.steps), "taken": each.taken, "failed": each.failed, "over": each.is_over} for each in site.players]


def switches(site: Site, body: Any) -> Any:
    """Sets what JIRA.md leaves open; without a body: how the switches stand."""
    for name, value in body.items():
        if not hasattr(site.switches, name):
            raise ValueError(f"There is no switch {name!r}; there are: {', '.join(vars(site.switches))}.")
        setattr(site.switches, name, value)
    return vars(site.switches)


ACTIONS: dict[tuple[str, str], Action] = {
    ("GET", ""): overview,
    ("POST", "do"): do,
    ("POST", "between-pages"): between_pages,
    ("GET", "clock"): clock,
    ("POST", "clock"): clock,
    ("GET", "faults"): list_faults,
    ("POST", "faults"): set_fault,
    ("DELETE", "faults"): clear_faults,
    ("GET", "log"): log,
    ("DELETE", "log"): clear_log,
    ("GET", "webhooks"): list_webhooks,
    ("POST", "webhooks"): add_webhook,
    ("DELETE", "webhooks"): remove_webhook,
    ("POST", "webhook-faults"): set_webhook_fault,
    ("GET", "sent"): sent_webhooks,
    ("GET", "play"): played,
    ("POST", "play"): play,
    ("POST", "improvise"): improvise,
    ("GET", "switches"): switches,
    ("POST", "switches"): switches,
}
