"""What engines call in each of their processes, where they find this package as a plug-in.

In: the environment. Out: the adapters, put where the engine looks for them. What holds: nothing of an engine is imported unless it is to be changed.
"""

import os


def _switch() -> None:
    """Puts Maskwright's layer in the place of the package xgrammar if the environment variable `MASKWRIGHT_XGRAMMAR` is set; does nothing without it."""
    if os.environ.get("MASKWRIGHT_XGRAMMAR"):
        from .xgrammar import install

        install()


def vllm() -> None:
    """Puts Maskwright in the place of the backend that the environment variable `MASKWRIGHT_VLLM` names; does nothing without it."""
    _switch()
    place = os.environ.get("MASKWRIGHT_VLLM")
    if place:
        from .vllm import install

        install(place)


def sglang() -> None:
    """Adds `maskwright` to SGLang's grammar backends."""
    _switch()
    from .sglang import register

    register()
