"""What every new site starts with: the usual statuses, types, priorities, link types and fields."""

from __future__ import annotations

from jira_simulator.model.records import FieldDefinition, LinkType, Named

GREENHOPPER = "com.pyxis.greenhopper.jira:"
FIELD_TYPES = "com.atlassian.jira.plugin.system.customfieldtypes:"

STATUSES = (
    Named("10000", "To Do", "", {"category": "new"}),
    Named("3", "In Progress", "This work item is being actively worked on at the moment.", {"category": "indeterminate"}),
    Named("10001", "In Review", "", {"category": "indeterminate"}),
    Named("10002", "Blocked", "Waits for somebody else.", {"category": "indeterminate"}),
    Named("10003", "Done", "", {"category": "done"}),
)
ISSUE_TYPES = (
    Named("10000", "Epic", "A big piece of work with many parts.", {"level": 1}),
    Named("10001", "Story", "A goal of somebody who uses the product.", {"level": 0}),
    Named("10002", "Task", "A small piece of work.", {"level": 0}),
    Named("10003", "Bug", "A problem or error.", {"level": 0}),
    Named("10004", "Sub-task", "A part of a larger piece of work.", {"level": -1}),
    Named("10005", "Incident", "Something that is going wrong now.", {"level": 0}),
    Named("10006", "Decision", "A question and what was decided.", {"level": 0}),
)
PRIORITIES = tuple(Named(str(n + 1), name) for n, name in enumerate(("Highest", "High", "Medium", "Low", "Lowest")))
RESOLUTIONS = (
    Named("10000", "Done", "Work has been completed on this issue."),
    Named("10001", "Won't Do", "This issue won't be actioned."),
    Named("10002", "Duplicate", "The problem is a duplicate of an existing issue."),
)
LINK_TYPES = (
    LinkType("10000", "Blocks", "is blocked by", "blocks"),
    LinkType("10001", "Cloners", "is cloned by", "clones"),
    LinkType("10002", "Duplicate", "is duplicated by", "duplicates"),
    LinkType("10003", "Relates", "relates to", "relates to"),
    LinkType("10004", "Causes", "is caused by", "causes"),
)


def system_fields() -> tuple[FieldDefinition, ...]:
    """The fields every site has, with the names a query may use for them."""
    return (
        FieldDefinition("summary", "Summary", clauses=("summary",)),
        FieldDefinition("issuetype", "Issue Type", "issuetype", clauses=("issuetype", "type")),
        FieldDefinition("project", "Project", "project", clauses=("project",)),
        FieldDefinition("status", "Status", "status", clauses=("status",)),
        FieldDefinition("statusCategory", "Status Category", "statusCategory", clauses=("statusCategory",)),
        FieldDefinition(
            "statuscategorychangedate", "Status Category Changed", "datetime", clauses=("statusCategoryChangedDate",)
        ),
        FieldDefinition("priority", "Priority", "priority", clauses=("priority",)),
        FieldDefinition("resolution", "Resolution", "resolution", clauses=("resolution",)),
        FieldDefinition("resolutiondate", "Resolved", "datetime", clauses=("resolutiondate", "resolved")),
        FieldDefinition("created", "Created", "datetime", clauses=("created", "createdDate")),
        FieldDefinition("updated", "Updated", "datetime", clauses=("updated", "updatedDate")),
        FieldDefinition("duedate", "Due date", "date", clauses=("due", "duedate")),
        FieldDefinition("description", "Description", clauses=("description",)),
        FieldDefinition("environment", "Environment", clauses=("environment",)),
        FieldDefinition("creator", "Creator", "user", clauses=("creator",)),
        FieldDefinition("reporter", "Reporter", "user", clauses=("reporter",)),
        FieldDefinition("assignee", "Assignee", "user", clauses=("assignee",)),
        FieldDefinition("labels", "Labels", "array", "string", clauses=("labels",)),
        FieldDefinition("components", "Components", "array", "component", clauses=("component",)),
        FieldDefinition("fixVersions", "Fix versions", "array", "version", clauses=("fixVersion",)),
        FieldDefinition("versions", "Affects versions", "array", "version", clauses=("affectedVersion",)),
        FieldDefinition("parent", "Parent", "issuelink", clauses=("parent",)),
        FieldDefinition("subtasks", "Sub-tasks", "array", "issuelinks", clauses=("subtasks",)),
        FieldDefinition("issuelinks", "Linked Issues", "array", "issuelinks"),
        FieldDefinition("attachment", "Attachment", "array", "attachment", clauses=("attachments",)),
        FieldDefinition("comment", "Comment", "comments-page", clauses=("comment",)),
        FieldDefinition("worklog", "Log Work", "array", "worklog"),
        FieldDefinition("watches", "Watchers", "watches", clauses=("watchers",)),
        FieldDefinition("votes", "Votes", "votes", clauses=("votes",)),
        FieldDefinition("timetracking", "Time tracking", "timetracking"),
        FieldDefinition(
            "timeoriginalestimate", "Original estimate", "number", clauses=("originalEstimate", "timeoriginalestimate")
        ),
        FieldDefinition("timeestimate", "Remaining Estimate", "number", clauses=("remainingEstimate", "timeestimate")),
        FieldDefinition("timespent", "Time Spent", "number", clauses=("timespent",)),
        FieldDefinition("workratio", "Work Ratio", "number", clauses=("workratio",)),
        FieldDefinition("security", "Security Level", "securitylevel", clauses=("level",)),
    )


def agile_fields(epic_link: str, epic_name: str, sprint: str) -> tuple[FieldDefinition, ...]:
    """The fields of the agile part. Their numbers differ from site to site; only `custom` tells which is which."""
    return (
        FieldDefinition(epic_link, "Epic Link", "any", custom=GREENHOPPER + "gh-epic-link"),
        FieldDefinition(epic_name, "Epic Name", "string", custom=GREENHOPPER + "gh-epic-label"),
        FieldDefinition(sprint, "Sprint", "array", "json", custom=GREENHOPPER + "gh-sprint"),
    )
