"""What the operator can do while the server runs, through a door of its own that is not on the public port."""
