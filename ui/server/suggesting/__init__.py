"""Questions that a person could ask, each tried before it is offered: to begin with, and after an answer."""
