"""tools/check_layers names what breaks the map, and nothing else."""
import importlib.machinery
import importlib.util
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_layers"


def load_tool():
    loader = importlib.machinery.SourceFileLoader("check_layers", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_layers", loader))
    loader.exec_module(module)
    return module


def problems_of(**files):
    """The problems of a tree of such files; `__` in a name stands for `/`, and the file is a header."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / (name.replace("__", "/") + ".h")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return load_tool().check(Path(folder))[0]


class CheckLayers(unittest.TestCase):
    def test_lets_pass_what_the_map_allows(self):
        self.assertEqual(problems_of(
            server__a='#include "detector/detector.h"\n#include <boost/beast/http.hpp>\n#include <vector>\n',
            config__a='#include "server/options.h"\n#include <yaml-cpp/parser.h>\n',
            metrics__a='#include "server/http_stats.h"\n', resp__a='#include "base/text.h"\n',
            cli__a='#include "hotkey/client.h"\n', daemon__a="auto now = Clock::now();\n"), [])

    def test_names_a_folder_that_is_out_of_reach(self):
        self.assertEqual(problems_of(detector__a='#pragma once\n#include "server/session.h"\n'),
                         ['detector/a.h:2: detector/ may not include "server/session.h"'])
        self.assertEqual(problems_of(config__a='#include "server/session.h"\n'),
                         ['config/a.h:1: config/ may not include "server/session.h"'])

    def test_keeps_the_part_of_the_sdk_free_of_libraries(self):
        self.assertEqual(problems_of(sdk__a='#include "base/log.h"\n'),
                         ['sdk/a.h:1: sdk/ may not include "base/log.h"'])
        self.assertEqual(problems_of(base__text="#include <fmt/format.h>\n"),
                         ["base/text.h:1: base/text is the SDK's too: standard library only"])

    def test_lets_every_library_in_by_one_door_only(self):
        self.assertEqual(problems_of(server__a="#include <yaml-cpp/yaml.h>\n"),
                         ["server/a.h:1: server/ is no door to <yaml-cpp/yaml.h>"])
        self.assertEqual(problems_of(publisher__a="#include <hiredis/hiredis.h>\n"),
                         ["publisher/a.h:1: publisher/ is no door to <hiredis/hiredis.h>"])

    def test_keeps_pure_folders_pure(self):
        self.assertEqual(problems_of(detector__a="#include <mutex>\n", wire__a="auto now = Clock::now();\n",
                                     config__a="#include <fstream>\n"),
                         ["wire/a.h:1: wire/ is pure, but this reads a clock",
                          "detector/a.h:1: detector/ is pure, but this knows threads",
                          "config/a.h:1: config/ is pure, but this does I/O"])


if __name__ == "__main__":
    unittest.main()
