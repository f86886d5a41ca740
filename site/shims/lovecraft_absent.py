"""For packages that Panel and Bokeh import at the top of a file and a page never uses."""


class NotInThisBuild(ImportError):
    """Raised by the first use, not by the import."""


def refuse(name: str):
    """A function that says what is missing."""

    def missing(*_args: object, **_kwargs: object) -> None:
        raise NotInThisBuild(f"{name} is not part of this build")

    return missing


def stand_in(name: str) -> type:
    """A class to inherit from and test against; making one of it is refused."""
    return type(name.rpartition(".")[2], (), {"__init__": refuse(name), "__module__": name})


class unittest:
    """For Panel's cache, which knows a mock when it is given one."""

    class mock:
        """As in `unittest.mock`."""

        Mock = stand_in("unittest.mock.Mock")
