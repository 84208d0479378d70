"""The rules of contract rummy as pure data and functions.

Nothing here knows of Django, of a clock or of a language: the same question always has the same answer.
"""
