"""What other programs talk to: an HTTP API with a page, and the tools over MCP."""
