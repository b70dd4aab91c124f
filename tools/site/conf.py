"""Sphinx for the site of the documentation: tools/site.sh lays out its pages and calls it."""
import os
import pathlib
import re
import sys
import types
import unittest.mock

import docutils
from docutils import nodes
from docutils.utils.math import latex2mathml

ROOT = pathlib.Path(__file__).resolve().parents[2]

project = "Seam"
copyright = author = "Seam contributors"
release = ".".join(re.findall(r"#define SEAM_VERSION_\w+ (\d+)", (ROOT / "include/seam/status.h").read_text()))
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

# ---- Pages

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 6
highlight_language = "none"  # for blocks without a language: screens, and code of Doxygen
smartquotes = False  # quoted text is often of C or Python

# ---- Interfaces

breathe_projects = {"seam": os.environ["SEAM_DOXYGEN"]}
breathe_default_project = "seam"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

sys.path.insert(0, str(ROOT / "python"))
autodoc_member_order = "bysource"
ffi = unittest.mock.MagicMock()  # stands in for the library, which pages do not need
ffi.sizeof.return_value = 8
ffi.string.return_value = release.encode()
sys.modules["seam._declarations"] = types.SimpleNamespace(VERSION=release.rpartition(".")[0], ffi=ffi)

# All other C types must be on the site. Types of Python may also be words.
nitpick_ignore = [("c:identifier", "size_t"), ("c:identifier", "uint64_t")]
nitpick_ignore_regex = [("py:.*", ".*")]


def keep_plain(app, what, name, obj, options, lines):
    """Keeps napoleon from reading text before a colon as the type of an attribute."""
    if what in ("attribute", "property"):
        lines[:] = [] if lines[0].startswith("Alias for field number") else ["", *lines]


# ---- Look

html_theme = "alabaster"
html_math_renderer = "mathml"
html_title = f"Seam {release}"
html_static_path = [str(ROOT / "tools/site/style.css")]
html_css_files = ["style.css"]
html_theme_options = {"page_width": "74rem", "sidebar_width": "15rem", "fixed_sidebar": True, "show_powered_by": False}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_show_sourcelink = False
html_copy_source = False

# Formulas are MathML, which browsers show without a script. TeX that docutils lacks is replaced.
OTHER_WORDS = {r"\\dots\b": r"\\ldots", r"\\[bB]ig\b": ""}


def visit_formula(writer, node):
    tex = node.astext()
    for pattern, known in OTHER_WORDS.items():
        tex = re.sub(pattern, known, tex)
    is_block = isinstance(node, nodes.math_block)
    writer.body.append(latex2mathml.tex2mathml(tex, is_block if docutils.__version_info__ >= (0, 21) else not is_block))
    raise nodes.SkipNode


def setup(app):
    app.connect("autodoc-process-docstring", keep_plain, priority=400)  # before napoleon
    app.add_html_math_renderer("mathml", inline_renderers=(visit_formula, None), block_renderers=(visit_formula, None))
