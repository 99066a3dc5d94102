"""The tools over the Model Context Protocol. Needs the extra `mcp`."""
