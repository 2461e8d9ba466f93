"""Pictures: marks on a plane, what they show of trees, boards and tables, and how they are written."""
