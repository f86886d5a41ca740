"""Bokeh reads theme files with it, Panel its front matter: neither happens in a page."""

from lovecraft_absent import refuse, stand_in

Loader = stand_in("yaml.Loader")
SafeLoader = stand_in("yaml.SafeLoader")
Dumper = stand_in("yaml.Dumper")
SafeDumper = stand_in("yaml.SafeDumper")
YAMLError = type("YAMLError", (Exception,), {})
load = refuse("yaml.load")
safe_load = refuse("yaml.safe_load")
dump = refuse("yaml.dump")
