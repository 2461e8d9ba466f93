"""Games with secrets whose plays may go on for ever: cut off at a horizon, with certified bounds."""
