package io.multimed.cli;

import io.multimed.testkit.process.JavaProgram;

/** The programs under test. */
final class TestPrograms {
    static final JavaProgram MULTIMED = new JavaProgram("io.multimed.cli.Main");

    private TestPrograms() {}
}
