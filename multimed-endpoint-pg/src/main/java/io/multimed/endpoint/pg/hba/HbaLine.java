package io.multimed.endpoint.pg.hba;

import java.nio.file.Path;
import java.util.List;

/**
 * A line of a file of rules.
 *
 * @param number of the line in its file; the first one of a continued line
 * @param fields separated by blanks; each is a list of words that commas separate
 */
record HbaLine(Path file, int number, List<List<HbaToken>> fields) {
    String place() {
        return file + ", line " + number + ": ";
    }
}
