"""Users and groups."""

from __future__ import annotations

from urllib.parse import quote

from jira_simulator.model.records import (
    Group,
    User,
)
from jira_simulator.payloads.base import BasePayloads, Json


class PeoplePayloads(BasePayloads):
    """Users and groups, with the names that Cloud and Data Center know them by."""

    def user(self, account: str | None) -> Json | None:
        if account is None:
            return None
        user = self.site.users[account]
        if self.cloud:
            shown: Json = {"self": self.url(f"user?accountId={quote(account)}"), "accountId": account}
            if self.caller.account == account:
                shown["emailAddress"] = user.email
            return {**shown, **self._person_shape(user), "accountType": user.account_type}
        names = {"self": self.url(f"user?username={quote(user.name)}"), "name": user.name, "key": user.key or user.name}
        return {**names, "emailAddress": user.email, **self._person_shape(user)}

    def _person_shape(self, user: User) -> Json:
        avatars = {f"{n}x{n}": f"{self.base}/secure/useravatar?size={n}" for n in (16, 24, 32, 48)}
        return {"avatarUrls": avatars, "displayName": user.display_name, "active": user.active, "timeZone": user.zone}

    def group(self, group: Group) -> Json:
        place = f"group?groupId={quote(group.id)}" if self.cloud else f"group?groupname={quote(group.name)}"
        shown: Json = {"name": group.name, "self": self.url(place)}
        return {**shown, "groupId": group.id} if self.cloud else shown
