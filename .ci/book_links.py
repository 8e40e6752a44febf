"""A preprocessor of mdBook: links of pages to files outside of the book become links to the repository.

In: the context and the book, as mdBook writes them on standard input. Out: the book. Links within code stay as they are.
"""

import json
import posixpath
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")


def with_links(text, page, address):
    """The text of a page, whose path is relative to the book's folder."""

    def replaced(link):
        target, anchor = link[1], link[2] or ""
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
        if ":" in target or path == "docs" or path.startswith("docs/"):
            return link[0]
        return f"]({address}/blob/HEAD/{path}{anchor})"

    fence, lines = False, []
    for line in text.split("\n"):
        fence ^= line.lstrip().startswith("```")
        lines.append(line if fence else LINK.sub(replaced, line))
    return "\n".join(lines)


def rewrite(items, address):
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            if chapter.get("path"):
                page = chapter.get("source_path") or chapter["path"]
                chapter["content"] = with_links(chapter["content"], page, address)
            rewrite(chapter["sub_items"], address)


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    context, book = json.load(sys.stdin)
    address = context["config"]["output"]["html"]["git-repository-url"]
    rewrite(book.get("items") or book.get("sections"), address)
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
