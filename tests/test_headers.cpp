// Nothing: its target makes the precompiled header of the tests (cmake/Tests.cmake).
